// The runs so far, the last one on top; those that are ticked are shown beside it.
import { h, iconButton } from "../app/dom";
import type { PageData, RunData } from "../data/contract";
import { number } from "../data/numbers";

const most = 8;
/** Writing a number makes many runs: kept are those that stood still for so long. */
const lookedAt = 1000; // milliseconds

export interface Past {
  data: PageData;
  text: string;
  overrides: Record<string, number>;
  label: string;
  compared: boolean;
  since: number;
  passing: boolean;
}

const sameRun = (a: Past, b: Past): boolean => a.text === b.text && a.label === b.label;

export class PastRuns {
  readonly element = h("section", { class: "past", hidden: true, "aria-label": "earlier runs" });
  private runs: Past[] = []; // the last one first

  /** `again`: its parameters are wanted back. */
  constructor(private readonly changed: () => void, private readonly again: (run: Past) => void) {}

  clear(): void {
    this.runs = [];
    this.fill();
  }

  /** The last run is one to look at, not one on the way. */
  settle(): void {
    if (this.runs[0]) this.runs[0].passing = false;
  }

  /** `passing`: on the way to another one. */
  add(data: PageData, text: string, overrides: Record<string, number>, passing: boolean): void {
    const label = Object.entries(overrides).map(([name, value]) => `${name} = ${number(value)}`).join(", ") || "as in the model";
    const run: Past = { data, text, overrides, label, compared: false, since: performance.now(), passing };
    const last = this.runs[0];
    const quick = last && (last.passing || run.since - last.since < lookedAt);
    // Where sliders began is always worth a comparison.
    const beginning = last && last.text === text && Object.keys(last.overrides).length === 0;
    if (quick && !beginning && !last.compared) this.runs.shift();
    this.runs = [run, ...this.runs.filter((one) => one.compared || !sameRun(one, run))];
    while (this.runs.length > most + 1) {
      const drop = this.runs.map((one) => one.compared).lastIndexOf(false);
      if (drop < 1) break;
      this.runs.splice(drop, 1);
    }
    this.fill();
  }

  private compared(): Past[] {
    return this.runs.slice(1).filter((run) => run.compared);
  }

  private labelOf(run: Past): string {
    return run.text === this.runs[0].text ? run.label : `earlier text, ${run.label}`;
  }

  /** One page of the last run and the compared ones. */
  together(): PageData | null {
    const last = this.runs[0];
    if (!last) return null;
    const runs: RunData[] = [last, ...this.compared()].flatMap((past) => {
      const run = past.data.runs?.[0];
      return run ? [{ ...run, label: this.labelOf(past), scene: run.scene ?? past.data.scene }] : [];
    });
    return { ...last.data, runs };
  }

  private fill(): void {
    const past = this.runs.slice(1);
    this.element.hidden = past.length === 0;
    const compared = this.compared();
    this.element.replaceChildren(h("header", {}, h("h2", {}, "Compare with earlier runs")), ...past.map((run) => {
      const box = h("input", { type: "checkbox", checked: run.compared, onchange: () => {
        run.compared = box.checked;
        this.fill();
        this.changed();
      } });
      const key = h("span", { class: "chip-key" });
      key.style.background = run.compared ? `var(--curve-${((compared.indexOf(run) + 1) % 8) + 1})` : "transparent";
      const again = run.text === this.runs[0].text ? iconButton("back-to", `${run.label}: these parameters again`, () => this.again(run)) : null;
      return h("div", { class: "past-run" }, h("label", {}, box, key, h("span", {}, this.labelOf(run))), again);
    }));
  }
}
