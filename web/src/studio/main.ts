// The studio: a model being written at the left, its motion at the right, and sliders between the two.
import "../style/theme.css";
import "../style/layout.css";
import "../style/controls.css";
import "./studio.css";
import { h, icon, iconButton, menuButton } from "../app/dom";
import { splitter } from "../app/splitter";
import { startTheme, switchTheme } from "../app/theme";
import * as api from "./api";
import { askName, choose, help } from "./dialogs";
import { Editor } from "./editor";
import { examples, fillFiles, isExample, shownName, starter } from "./files";
import { Latest } from "./latest";
import { Problems } from "./problems";
import { PastRuns } from "./runs";
import { Sliders } from "./sliders";
import { MotionView } from "./view";

const pause = 250; // milliseconds without a key before the text is checked

class Studio {
  private name = "";
  private version = ""; // of the file that was read or written last; "": there is none
  private savedText = "";
  private checked: api.Checked | null = null;
  private checking: AbortController | null = null;
  private checkTimer = 0;
  private readonly title = h("span", { class: "studio-file" });
  private readonly note = h("p", { class: "studio-note", hidden: true }, "An example: change what you like. Save puts a copy into your folder.");
  private readonly status = h("span", { class: "studio-status", role: "status" });
  private readonly bar = h("div", { class: "studio-progress" });
  private readonly runButton = h("button", { type: "button", class: "bar-button primary", title: "run (Ctrl+Enter)", onclick: () => this.run() }, icon("play"), h("span", { class: "bar-text" }, "Run"));
  private readonly stopButton = h("button", { type: "button", class: "bar-button stop", title: "stop the run", hidden: true, onclick: () => this.runs.stop() }, icon("close"), h("span", { class: "bar-text" }, "Stop"));
  private readonly saveButton = h("button", { type: "button", class: "bar-button", title: "save (Ctrl+S)", onclick: () => void this.save() }, icon("save"), h("span", { class: "bar-text" }, "Save"));
  private readonly live = h("input", { type: "checkbox", checked: true });
  private readonly sideButton = h("button", { type: "button", class: "bar-button side-button", onclick: () => this.showSide(this.main.dataset.side === "motion" ? "text" : "motion") }, "Motion");
  private readonly main = h("main", { class: "studio-main", "data-side": "text" });
  private readonly sliders = new Sliders(() => this.later(), () => this.past.settle());
  private readonly problems = new Problems((diagnostic) => this.editor.show(diagnostic.place.begin), (fix) => this.editor.mend(fix));
  private readonly past = new PastRuns(() => this.showRuns(), (run) => this.sliders.set(run.overrides));
  private readonly runs = new Latest((signal) => this.work(signal));
  private readonly keys = (event: KeyboardEvent): void => this.pressed(event);
  private readonly motion = new MotionView(this.keys);
  private readonly editor: Editor;

  constructor(root: HTMLElement) {
    const place = h("div", { class: "studio-editor" });
    const files = menuButton(h("button", { type: "button", class: "bar-button files-button", title: "models of the folder and examples" }, this.title, icon("down")), (menu) => void this.fillFiles(menu), "left");
    const reset = h("button", { type: "button", class: "text-button", onclick: () => this.sliders.set({}) }, "As in the model");
    const left = h("div", { class: "studio-left" }, this.note, place, this.problems.element,
      h("section", { class: "studio-parameters" }, h("header", {}, h("h2", {}, "Parameters"), h("span", { class: "spacer" }), reset), this.sliders.element),
      this.past.element);
    this.main.append(left, splitter("x", this.main, "--editor", left), h("div", { class: "studio-right" }, this.bar, this.motion.element));
    root.append(h("header", { class: "bar studio-bar" }, h("span", { class: "wordmark" }, "nsmc studio"), files, this.saveButton, this.runButton, this.stopButton,
      h("label", { class: "studio-live", title: "run again whenever the text or a slider changes" }, this.live, "live"), h("span", { class: "spacer" }), this.status, this.sideButton,
      iconButton("theme", "Light or dark", () => switchTheme()), iconButton("help", "How the studio works", () => help())), this.main);
    this.editor = new Editor(place, {
      complete: (text, offset, signal) => api.complete(this.name, text, offset, signal),
      explain: (text, offset) => api.explain(this.name, text, offset),
    }, () => this.edited());
    window.addEventListener("keydown", this.keys);
    window.addEventListener("focus", () => void this.readAgain());
    window.addEventListener("beforeunload", (event) => {
      if (this.isChanged) event.preventDefault();
    });
  }

  private get isChanged(): boolean {
    return this.name !== "" && this.editor.text !== this.savedText;
  }

  async start(): Promise<void> {
    const { files, first, folder } = await api.files();
    document.title = `${folder} · nsmc studio`;
    if (first && !files.includes(first)) this.create(first);
    else await this.open(first || files[0] || `${examples}bouncing_ball.nsm`);
  }

  private pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
    if (event.key === "s") void this.save();
    else if (event.key === "Enter") this.run();
    else return;
    event.preventDefault();
  }

  private say(text: string, trouble = false): void {
    this.status.textContent = text;
    this.status.classList.toggle("trouble", trouble);
  }

  private failed(error: unknown): void {
    this.say((error as Error).message, true);
  }

  /** What a narrow window shows. */
  private showSide(side: "text" | "motion"): void {
    this.main.dataset.side = side;
    this.sideButton.textContent = side === "text" ? "Motion" : "Text";
  }

  // ------------------------------------------------------------------------------------------------------------- files

  private async fillFiles(menu: HTMLElement): Promise<void> {
    try {
      fillFiles(menu, await api.files(), this.name, { open: (name) => void this.change(name), create: () => void this.createNamed(), saveAs: () => void this.saveAs() });
    } catch (error) {
      this.failed(error);
    }
  }

  /** Whether the text may go: it is saved, or nobody wants it. */
  private async mayLeave(): Promise<boolean> {
    if (!this.isChanged) return true;
    const answer = await choose("Changes are not saved", `${shownName(this.name)} was changed since it was saved.`, ["Save", "Do not save"]);
    if (answer === "Save") await this.save();
    return answer === "Do not save" || (answer === "Save" && !this.isChanged);
  }

  private async change(name: string): Promise<void> {
    if (await this.mayLeave()) await this.open(name).catch((error) => this.failed(error));
  }

  private async open(name: string): Promise<void> {
    const { text, version } = await api.read(name);
    await this.begin(name, text, version, text);
  }

  private create(name: string): void {
    void this.begin(name, starter(name), "", "");
  }

  private async createNamed(): Promise<void> {
    if (!(await this.mayLeave())) return;
    const name = await askName("New model", "A file in this folder. It is written when you save it.", "ball.nsm", "Begin");
    if (name) this.create(name);
  }

  private async begin(name: string, text: string, version: string, saved: string): Promise<void> {
    this.runs.stop();
    window.clearTimeout(this.checkTimer);
    this.name = name;
    this.version = version;
    this.savedText = saved;
    this.checked = null;
    this.sliders.clear();
    this.past.clear();
    this.motion.begin();
    this.editor.open(text);
    this.showTitle();
    if (await this.check()) this.runs.ask();
    else if (this.name === name) this.motion.clear();
  }

  private async save(): Promise<void> {
    if (isExample(this.name)) return this.saveAs();
    const text = this.editor.text;
    try {
      this.written(text, await api.save(this.name, text, this.version));
    } catch (error) {
      if (!(error instanceof api.Refused) || error.status !== 412) return this.failed(error);
      await this.settle(this.name, text);
    }
  }

  private async saveAs(): Promise<void> {
    const text = this.editor.text;
    const name = await askName("Save as", "A file in this folder.", shownName(this.name), "Save");
    if (!name) return;
    try {
      const version = await api.save(name, text, "");
      this.name = name;
      this.written(text, version);
    } catch (error) {
      if (!(error instanceof api.Refused) || error.status !== 412) return this.failed(error);
      await this.settle(name, text);
    }
  }

  /** Another text has come to the place where this one should go. */
  private async settle(name: string, text: string): Promise<void> {
    const other = await api.read(name).catch(() => null);
    const answer = await choose(`${name} is there with another text`, "It was written by another program, or belongs to another model.", ["Keep both: save as …", "Write this text", "Take the other text"]);
    if (answer === "Keep both: save as …") await this.saveAs();
    if (answer === "Take the other text") await this.open(name).catch((error) => this.failed(error));
    if (answer !== "Write this text") return;
    try {
      const version = await api.save(name, text, other?.version ?? "");
      this.name = name;
      this.written(text, version);
    } catch (error) {
      this.failed(error);
    }
  }

  private written(text: string, version: string): void {
    this.savedText = text;
    this.version = version;
    this.say("saved");
    this.showTitle();
  }

  /** Another program may have written the file while this window was not looked at; a text with changes stays, and Save asks. */
  private async readAgain(): Promise<void> {
    const { name, version } = this;
    if (!name || !version || this.isChanged) return;
    const stored = await api.read(name).catch(() => null);
    if (!stored || stored.version === version || this.name !== name || this.isChanged) return;
    this.version = stored.version;
    this.savedText = stored.text;
    this.editor.exchange(stored.text);
    this.showTitle();
  }

  private showTitle(): void {
    this.title.textContent = shownName(this.name);
    this.title.classList.toggle("unsaved", this.isChanged);
    this.saveButton.classList.toggle("quiet", !this.isChanged);
    this.note.hidden = !isExample(this.name);
  }

  // ----------------------------------------------------------------------------------------------------- checks and runs

  private edited(): void {
    this.showTitle();
    window.clearTimeout(this.checkTimer);
    this.checkTimer = window.setTimeout(() => void this.check().then(() => this.later()), pause);
  }

  /** Whether the text can run. The newest text wins: an answer to an older one is thrown away. */
  private async check(): Promise<boolean> {
    this.checking?.abort();
    const asked = (this.checking = new AbortController());
    const text = this.editor.text;
    try {
      const checked = await api.check(this.name, text, asked.signal);
      if (asked.signal.aborted || text !== this.editor.text) return false;
      this.checked = checked;
      const here = (diagnostic: api.Diagnostic): boolean => diagnostic.place.file === checked.file;
      this.editor.mark(checked.diagnostics, here);
      this.problems.show(checked.diagnostics, here);
      this.main.classList.toggle("stale", !checked.ok);
      const errors = checked.diagnostics.filter((one) => one.error).length;
      if (checked.ok) this.sliders.show(checked);
      else this.say(`${errors} error${errors > 1 ? "s" : ""} in the model`, true);
      return checked.ok;
    } catch (error) {
      if (!asked.signal.aborted) this.failed(error);
      return false;
    }
  }

  private later(): void {
    if (this.live.checked && this.checked?.ok) this.runs.ask();
  }

  private run(): void {
    if (!this.checked?.ok) return;
    this.showSide("motion");
    this.runs.ask();
  }

  private async work(signal: AbortSignal): Promise<void> {
    const { name } = this;
    const text = this.editor.text;
    const overrides = { ...this.sliders.overrides };
    const begun = performance.now();
    // A run of a moment should not make the buttons flicker.
    const showing = window.setTimeout(() => this.setRunning(true), 150);
    try {
      const data = await api.run({ name, text, overrides }, (part) => this.bar.style.setProperty("--part", String(part)), signal);
      if (signal.aborted || name !== this.name) return;
      this.sliders.follow(data.model.parameters ?? []);
      this.past.add(data, text, overrides, this.sliders.dragged);
      this.showRuns();
      const warnings = data.runs?.[0]?.warnings?.length ?? 0;
      const seconds = (performance.now() - begun) / 1000;
      this.say(`ran in ${seconds < 1 ? `${Math.round(1000 * seconds)} ms` : `${seconds.toFixed(1)} s`}${warnings ? `, ${warnings} warning${warnings > 1 ? "s" : ""}: see Run` : ""}`, warnings > 0);
    } catch (error) {
      if (signal.aborted) this.say("stopped");
      else this.failed(error);
    } finally {
      window.clearTimeout(showing);
      this.setRunning(false);
    }
  }

  private setRunning(on: boolean): void {
    this.stopButton.hidden = !on;
    this.bar.classList.toggle("on", on);
    if (!on) return;
    this.bar.style.setProperty("--part", "0");
    this.say("running");
  }

  /** The present run and the past ones that are compared with it, in one page. */
  private showRuns(): void {
    const data = this.past.together();
    if (data) this.motion.show(data);
  }
}

startTheme();
void new Studio(document.getElementById("app") as HTMLElement).start().catch((error: Error) => {
  document.body.append(h("p", { class: "no-data" }, `The studio does not answer: ${error.message}`));
});
