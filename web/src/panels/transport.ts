// Play, pause, frame by frame, the slider of time with the events on it, the speed.
import { h, iconButton, icon } from "../app/dom";
import { speedText, speeds, type Clock } from "../data/clock";
import type { RunEvent } from "../data/contract";
import { decimalsOf } from "../data/numbers";
import type { Run } from "../data/run";

const mostMarks = 500;

export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly time = h("output", { class: "time", "aria-live": "off" });
  private readonly speed: HTMLSelectElement;
  private readonly marks = h("div", { class: "marks" });
  private readonly decimals: number;

  constructor(private readonly clock: Clock, private readonly current: () => Run, private readonly onEvent: (contact: string) => void) {
    const run = current();
    this.decimals = decimalsOf((run.end - run.start) / Math.max(1, run.rows - 1));
    this.play = iconButton("play", "Play", () => clock.toggle(), "space");
    this.play.classList.add("play");
    this.slider = h("input", { type: "range", class: "slider", min: 0, max: 10000, step: 1, value: 0, "aria-label": "time",
      oninput: () => clock.set(clock.start + (Number(this.slider.value) / 10000) * (clock.end - clock.start)) });
    this.speed = h("select", { class: "quiet-select speed", "aria-label": "speed", title: "speed (- and +)", onchange: () => clock.setSpeed(Number(this.speed.value)) },
      ...speeds.map((speed) => h("option", { value: speed }, speedText(speed))));
    this.element = h("div", { class: "transport" },
      iconButton("first", "To the start", () => clock.set(clock.start), "home"),
      iconButton("back", "One frame back", () => this.step(-1), "left"), this.play, iconButton("forth", "One frame on", () => this.step(1), "right"),
      h("div", { class: "slider-box" }, this.slider, this.marks), this.time, this.speed);
    clock.onChange(() => this.update());
    this.setRun();
  }

  setRun(): void {
    const { start, end } = this.clock;
    const events = this.current().events;
    const stride = Math.ceil(events.length / mostMarks) || 1;
    const isImpact = (event: RunEvent): boolean => /impact/i.test(event.kind);
    // Impacts last: where a contact closes with one, that is what is seen.
    const shown = events.filter((_, i) => i % stride === 0).sort((a, b) => Number(isImpact(a)) - Number(isImpact(b)));
    this.marks.replaceChildren(...shown.map((event) => {
      const mark = h("button", { type: "button", class: `mark ${isImpact(event) ? "impact" : "other"}`, tabindex: -1, title: `${event.t.toFixed(this.decimals)} s: ${event.contact} ${event.kind.replace(/_/g, " ")}`,
        onclick: () => {
          this.clock.pause();
          this.clock.set(event.t);
          this.onEvent(event.contact);
        } });
      mark.style.left = `${(100 * (event.t - start)) / (end - start || 1)}%`;
      return mark;
    }));
    this.update();
  }

  /** To a row of the active run; what plays stops. */
  step(rows: number): void {
    this.clock.pause();
    const run = this.current();
    const moment = run.moment(this.clock.t);
    const row = rows < 0 && moment.fraction > 0 ? moment.row + rows + 1 : moment.row + rows;
    this.clock.set(run.t[Math.min(run.rows - 1, Math.max(0, row))]);
  }

  private shownPlaying: boolean | null = null;

  update(): void {
    const { clock } = this;
    if (this.shownPlaying !== clock.playing) {
      this.shownPlaying = clock.playing;
      this.play.replaceChildren(icon(clock.playing ? "pause" : "play"));
      const label = clock.playing ? "Pause" : "Play";
      this.play.setAttribute("aria-label", label);
      this.play.title = `${label} (space)`;
    }
    const share = (clock.t - clock.start) / (clock.end - clock.start || 1);
    this.slider.value = String(Math.round(share * 10000));
    this.slider.style.setProperty("--share", `${share * 100}%`);
    this.slider.setAttribute("aria-valuetext", `${clock.t.toFixed(this.decimals)} seconds`);
    this.time.textContent = `${clock.t.toFixed(this.decimals)} s`;
    this.speed.value = String(clock.speed);
  }
}
