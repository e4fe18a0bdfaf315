// The studio: a model being written at the left, its motion at the right, and sliders between the two. The right side is the page of
// `nsmc view` in a frame of its own; a run with other parameters only exchanges its data.
import "../style/theme.css";
import "../style/layout.css";
import "../style/controls.css";
import "./studio.css";
import { closeMenu, h, icon, iconButton, menuButton } from "../app/dom";
import { splitter } from "../app/splitter";
import { startTheme, switchTheme } from "../app/theme";
import type { PageData, RunData } from "../data/contract";
import type { Page } from "../app/page";
import * as api from "./api";
import { Editor } from "./editor";
import { Problems } from "./problems";
import { PastRuns } from "./runs";
import { Sliders } from "./sliders";

type ViewWindow = Window & { nsmcShow?: (data: PageData) => void; nsmcPage?: Page };

const pause = { check: 250, run: 120 }; // milliseconds without a change before the server is asked

class Studio {
  private name = "";
  private savedText = "";
  private checked: api.Checked | null = null;
  private shownText = ""; // of the model that the frame shows, and how many runs of it
  private shownRuns = 0;
  private checking: AbortController | null = null;
  private running: AbortController | null = null;
  private checkTimer = 0;
  private runTimer = 0;
  private readonly frame = h("iframe", { class: "studio-view", title: "the motion" });
  private readonly title = h("span", { class: "studio-file" });
  private readonly status = h("span", { class: "studio-status", role: "status" });
  private readonly bar = h("div", { class: "studio-progress" });
  private readonly runButton = h("button", { type: "button", class: "bar-button primary", title: "run (Ctrl+Enter)", onclick: () => this.run() }, icon("play"), h("span", { class: "bar-text" }, "Run"));
  private readonly stopButton = h("button", { type: "button", class: "bar-button", hidden: true, onclick: () => this.stop() }, icon("close"), h("span", { class: "bar-text" }, "Stop"));
  private readonly saveButton = h("button", { type: "button", class: "bar-button", title: "save (Ctrl+S)", onclick: () => void this.save() }, icon("save"), h("span", { class: "bar-text" }, "Save"));
  private readonly live = h("input", { type: "checkbox", checked: true });
  private readonly sliders = new Sliders(() => this.later());
  private readonly problems = new Problems((diagnostic) => this.editor.show(diagnostic.place.begin));
  private readonly past = new PastRuns(() => this.showRuns());
  private readonly editor: Editor;

  constructor(root: HTMLElement) {
    const place = h("div", { class: "studio-editor" });
    const files = menuButton(h("button", { type: "button", class: "bar-button", title: "open another model" }, this.title, icon("down")), (menu) => void this.fillFiles(menu), "left");
    const reset = h("button", { type: "button", class: "text-button", onclick: () => this.resetSliders() }, "As in the model");
    const left = h("div", { class: "studio-left" }, place, this.problems.element,
      h("section", { class: "studio-parameters" }, h("header", {}, h("h2", {}, "Parameters"), h("span", { class: "spacer" }), reset), this.sliders.element),
      this.past.element);
    const main = h("main", { class: "studio-main" });
    main.append(left, splitter("x", main, "--editor", left), h("div", { class: "studio-right" }, this.bar, this.frame));
    root.append(h("header", { class: "bar" }, h("span", { class: "wordmark" }, "nsmc studio"), files, this.saveButton, this.runButton, this.stopButton,
      h("label", { class: "studio-live", title: "run again when the model or a slider changes" }, this.live, "live"), h("span", { class: "spacer" }), this.status,
      iconButton("theme", "Light or dark", () => switchTheme())), main);
    this.editor = new Editor(place, () => this.edited(), () => void this.save(), () => this.run());
    window.addEventListener("beforeunload", (event) => {
      if (this.editor.text !== this.savedText) event.preventDefault();
    });
  }

  async start(): Promise<void> {
    const { files, examples, first, folder } = await api.files();
    document.title = `${folder} · nsmc studio`;
    const wanted = first || files[0] || examples.find((name) => name.endsWith("/tippe_top.nsm")) || examples[0];
    if (wanted) await this.open(wanted);
    else this.say("no model in this folder yet: write one and save it");
  }

  private say(text: string, trouble = false): void {
    this.status.textContent = text;
    this.status.classList.toggle("trouble", trouble);
  }

  private async fillFiles(menu: HTMLElement): Promise<void> {
    const list = await api.files();
    const row = (name: string): HTMLElement => h("button", { type: "button", class: "menu-row", role: "menuitem", onclick: () => { closeMenu(menu); void this.open(name); } }, name.replace(/^examples\//, ""));
    if (list.files.length) menu.append(h("p", { class: "menu-title" }, list.folder), ...list.files.map(row));
    menu.append(h("p", { class: "menu-title" }, "Examples"), ...list.examples.map(row));
  }

  private async open(name: string): Promise<void> {
    if (this.editor.text !== this.savedText && !window.confirm(`${this.name} has changes that are not saved. Open ${name} all the same?`)) return;
    this.stop();
    const text = await api.read(name);
    this.name = name;
    this.savedText = text;
    this.sliders.reset();
    this.past.clear();
    this.editor.open(text);
    this.showTitle();
    await this.check();
    this.run();
  }

  private async save(): Promise<void> {
    const text = this.editor.text;
    if (this.name.startsWith("examples/")) {
      const name = window.prompt("Examples stay as they are. Save under the name", this.name.slice("examples/".length));
      if (!name) return;
      this.name = name.endsWith(".nsm") ? name : `${name}.nsm`;
    }
    try {
      await api.save(this.name, text);
      this.savedText = text;
      this.say("saved");
    } catch (error) {
      this.say(String((error as Error).message), true);
    }
    this.showTitle();
  }

  private showTitle(): void {
    this.title.textContent = this.name.replace(/^examples\//, "");
    this.title.classList.toggle("unsaved", this.editor.text !== this.savedText);
    this.saveButton.classList.toggle("quiet", this.editor.text === this.savedText);
  }

  private edited(): void {
    this.showTitle();
    window.clearTimeout(this.checkTimer);
    this.checkTimer = window.setTimeout(() => void this.check().then(() => this.later()), pause.check);
  }

  /** The newest text wins: an answer to an older one is thrown away. */
  private async check(): Promise<void> {
    this.checking?.abort();
    const asked = (this.checking = new AbortController());
    const text = this.editor.text;
    try {
      const checked = await api.check(this.name, text, asked.signal);
      if (asked.signal.aborted) return;
      this.checked = checked;
      const here = (diagnostic: api.Diagnostic): boolean => diagnostic.place.file === checked.file;
      this.editor.mark(checked.diagnostics, here);
      this.editor.know(checked.symbols);
      this.problems.show(checked.diagnostics, here);
      if (checked.ok) this.sliders.show(checked);
      else this.say(`${checked.diagnostics.filter((one) => one.error).length === 1 ? "one error" : "errors"} in the model`, true);
    } catch (error) {
      if (!asked.signal.aborted) this.say((error as Error).message, true);
    }
  }

  private later(): void {
    if (!this.live.checked || !this.checked?.ok) return;
    window.clearTimeout(this.runTimer);
    this.runTimer = window.setTimeout(() => this.run(), pause.run);
  }

  private resetSliders(): void {
    this.sliders.reset();
    if (this.checked) this.sliders.show(this.checked);
    this.later();
  }

  private stop(): void {
    this.running?.abort();
  }

  private run(): void {
    this.stop();
    if (!this.checked?.ok) return;
    const asked = (this.running = new AbortController());
    const text = this.editor.text;
    const overrides = { ...this.sliders.overrides };
    const begun = performance.now();
    // A run of a moment should not make the buttons flicker.
    const showing = window.setTimeout(() => this.setRunning(true), 150);
    void api.run({ name: this.name, text, overrides }, (part) => this.bar.style.setProperty("--part", String(part)), asked.signal)
      .then((data) => {
        this.past.add(data, overrides);
        this.showRuns(text);
        const warnings = data.runs?.[0]?.warnings?.length ?? 0;
        this.say(`${((performance.now() - begun) / 1000).toFixed(2)} s${warnings ? `, ${warnings} warning${warnings > 1 ? "s" : ""}` : ""}`, warnings > 0);
      })
      .catch((error: Error) => this.say(asked.signal.aborted ? "stopped" : error.message, !asked.signal.aborted))
      .finally(() => {
        window.clearTimeout(showing);
        if (this.running === asked) this.setRunning(false);
      });
  }

  private setRunning(on: boolean): void {
    this.stopButton.hidden = !on;
    this.bar.classList.toggle("on", on);
    if (on) this.bar.style.setProperty("--part", "0");
  }

  /** The present run and the past ones that are compared with it, in one page. */
  private showRuns(text = this.shownText): void {
    const data = this.past.together();
    if (!data) return;
    const view = this.frame.contentWindow as ViewWindow | null;
    const runs = (data.runs ?? []) as RunData[];
    if (text === this.shownText && runs.length === this.shownRuns && view?.nsmcPage) {
      view.nsmcPage.update(data.scene ?? null, runs);
      return;
    }
    this.shownText = text;
    this.shownRuns = runs.length;
    const moment = view?.nsmcPage?.clock;
    this.frame.onload = () => {
      const fresh = this.frame.contentWindow as ViewWindow;
      fresh.nsmcShow?.(data);
      if (moment?.playing) fresh.nsmcPage?.clock.play();
    };
    this.frame.src = api.viewAddress;
  }
}

startTheme();
void new Studio(document.getElementById("app") as HTMLElement).start().catch((error: Error) => {
  document.body.append(h("p", { class: "no-data" }, `The studio does not answer: ${error.message}`));
});
