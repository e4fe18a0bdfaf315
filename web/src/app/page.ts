// The page as a whole: what there is of scene, reservoir, plots and documents, put together for these data.
import { Clock, speeds } from "../data/clock";
import type { PageData, RunData } from "../data/contract";
import { Run } from "../data/run";
import { EnergyPanel } from "../panels/energy";
import { equationsPanel } from "../panels/equations";
import { parametersPanel } from "../panels/parameters";
import { sourcePanel } from "../panels/source";
import { StudyPanel } from "../panels/study";
import { SummaryPanel } from "../panels/summary";
import { Tabs, type Tab } from "../panels/tabs";
import { Transport } from "../panels/transport";
import { firstPlots, PlotsPanel } from "../plots/panel";
import { ReservoirPanel } from "../reservoir/panel";
import { csvOf } from "../save/csv";
import { nameFiles, saveCanvas, saveText } from "../save/files";
import { canRecord, Recorder } from "../save/video";
import { Stage } from "../scene/stage";
import { StageView } from "../scene/view";
import { closeMenu, h, icon, iconButton, menuButton } from "./dom";
import { helpDialog } from "./help";
import { listenToKeys, type Shortcuts } from "./keyboard";
import { splitter } from "./splitter";
import { onTheme, switchTheme } from "./theme";

/** Real time where a run lasts some seconds; slower or faster where that would be over at once or never end. */
function firstSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 2.5 && duration <= 40)) return 1;
  const wanted = duration / 8;
  return speeds.reduce((best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best), 1);
}

const runsOf = (data: PageData): Run[] => (data.runs ?? []).map((run, i) => new Run(run, data.scene, i)).filter((run) => run.rows > 0);

/** What the parts of a page are made for: the columns, and the names of what is in the scene. */
function structureOf(data: PageData): string {
  const run = data.runs?.[0];
  const scene = run?.scene ?? data.scene;
  return JSON.stringify([data.model.planar, !data.model.latex, data.model.sources?.length, run?.columns, scene?.items.map((item) => [item.name, item.kind, item.body]),
    scene?.contacts.map((contact) => [contact.name, contact.laws?.map((law) => [law.name, law.dim, law.sets.map((set) => set.role)])]),
    scene?.springs?.map((spring) => spring.name), scene?.joints?.map((joint) => [joint.name, joint.kind])]);
}
const keyTurn = Math.PI / 24; // of the camera, by a key

export class Page {
  readonly runs: Run[];
  private readonly structure: string;
  private readonly kept: RunData[];
  readonly clock: Clock;
  readonly stage: Stage | null = null;
  private active = 0;
  private readonly view: StageView | null = null;
  private readonly reservoir = new ReservoirPanel();
  private readonly plots: PlotsPanel | null = null;
  private readonly energy: EnergyPanel | null = null;
  private readonly summary: SummaryPanel | null = null;
  private readonly transport: Transport | null = null;
  private readonly recorder: Recorder | null = null;
  private readonly parameters = h("div");
  private readonly equations = h("div");
  private readonly source = h("div");
  private readonly title = h("h1");
  private readonly doc = h("p", { class: "bar-doc" });
  private readonly chips = h("div", { class: "chips", role: "radiogroup", "aria-label": "runs" });
  private readonly help = helpDialog();
  private tabs: Tabs | null = null;

  constructor(private readonly root: HTMLElement, private data: PageData) {
    const { model } = data;
    // Of a study one run is shown at a time: the first that was kept, until another is clicked.
    this.kept = data.study ? (data.runs ?? []) : [];
    if (data.study) this.data = data = { ...data, runs: this.kept.slice(0, 1).map((run) => ({ ...run })) };
    this.structure = structureOf(data);
    this.runs = runsOf(data);
    const run = this.runs[0];
    this.clock = new Clock(Math.min(...this.runs.map((one) => one.start), Infinity), Math.max(...this.runs.map((one) => one.end), -Infinity));
    if (!run) this.clock = new Clock(0, 0);
    this.clock.speed = firstSpeed(this.clock.end - this.clock.start);

    const tabs: Tab[] = [];
    if (data.study) tabs.push({ name: "Study", element: new StudyPanel(data.study, (index) => this.openRun(index)).element });
    if (run) {
      const drawn = this.runs.some((one) => one.scene.items.length + (one.scene.springs?.length ?? 0) > 0);
      if (drawn) {
        const failure = this.makeStage();
        if (failure) root.append(failure);
        else {
          this.stage = this.made as Stage;
          this.view = new StageView(this.stage);
          this.recorder = new Recorder(this.stage, this.clock, (on) => root.classList.toggle("recording", on));
        }
      }
      const current = (): Run => this.runs[this.active];
      this.plots = new PlotsPanel(this.runs, current, this.clock, firstPlots(run));
      this.energy = new EnergyPanel(this.runs, current, this.clock);
      this.summary = new SummaryPanel(current, this.clock, data.program ?? "", (contact) => this.reservoir.showContact(contact));
      this.transport = new Transport(this.clock, current, (contact) => this.reservoir.showContact(contact));
      tabs.push({ name: "Plots", element: this.plots.element, shown: () => this.plots?.update() });
      if (run.find("energy") >= 0) tabs.push({ name: "Energy", element: this.energy.element, shown: () => this.energy?.update() });
      tabs.push({ name: "Run", element: this.summary.element, shown: () => this.summary?.update() });
    }
    tabs.push({ name: "Parameters", element: this.parameters });
    if (model.latex) tabs.push({ name: "Equations", element: this.equations });
    if (model.sources?.length) tabs.push({ name: "Source", element: this.source });
    this.equations.addEventListener("shown", () => this.equations.firstElementChild?.dispatchEvent(new Event("shown")));
    this.tabs = new Tabs(tabs);
    this.fillParameters();
    this.fillDocuments();
    this.fillChips();

    const hasReservoir = run ? this.reservoir.setRun(run) : false;
    this.build(hasReservoir);
    this.listen();
    if (run) requestAnimationFrame((now) => this.frame(now));
  }

  /** Other runs in the place of those that are shown; what is looked at, and from where, stays. False for a model with other columns or
   *  another scene, which needs a page of its own. */
  update(data: PageData): boolean {
    const { sources, latex } = this.data.model;
    if (structureOf(data) !== this.structure) return false; // before the runs take the numbers out of the data
    const runs = runsOf(data);
    if (runs.length === 0) return false;
    this.data = data;
    this.runs.splice(0, this.runs.length, ...runs);
    this.clock.setRange(Math.min(...this.runs.map((run) => run.start)), Math.max(...this.runs.map((run) => run.end)));
    this.stage?.setRuns();
    this.fillChips();
    if (latex !== data.model.latex || JSON.stringify(sources) !== JSON.stringify(data.model.sources)) this.fillDocuments();
    this.setActive(Math.min(this.active, this.runs.length - 1));
    return true;
  }

  private made: Stage | null = null;

  // A browser without WebGL still has plots and documents.
  private makeStage(): HTMLElement | null {
    try {
      this.made = new Stage(this.runs, this.data.model, this.data.model.planar === true);
      return null;
    } catch (error) {
      return h("p", { class: "note no-webgl" }, `The scene cannot be drawn: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private build(hasReservoir: boolean): void {
    // In the frame of the studio, which has a name, a Save and a light switch of its own.
    const embedded = window.parent !== window;
    this.root.classList.toggle("embedded", embedded);
    const save = menuButton(h("button", { type: "button", class: "bar-button", title: "save pictures, a video, data" }, icon("save"), h("span", { class: "bar-text" }, embedded ? "Export" : "Save")), (menu) => this.fillSave(menu));
    const header = h("header", { class: "bar" },
      embedded ? null : h("span", { class: "wordmark" }, "nsmc"), this.title, this.doc,
      h("span", { class: "spacer" }),
      h("span", { class: "recording-note" }, icon("record"), "recording ", h("button", { type: "button", class: "text-button", onclick: () => this.recorder?.stop() }, "Stop")),
      this.runs.length ? save : null, embedded ? null : iconButton("theme", "Light or dark", () => switchTheme(), "t"), this.runs.length ? iconButton("help", "Keys", () => this.help.showModal(), "?") : null);
    const main = h("main", { class: "main" });
    const side = h("div", { class: "side" });
    if (this.view && this.transport) {
      const left = h("div", { class: "left" }, this.view.element, this.transport.element);
      main.append(left, splitter("x", main, "--side", side), side);
      if (hasReservoir) side.append(this.reservoir.element, splitter("y", side, "--reservoir", this.reservoir.element));
      side.append((this.tabs as Tabs).element);
    } else {
      this.root.classList.add("no-scene");
      const left = h("div", { class: "left" }, (this.tabs as Tabs).element, this.transport?.element ?? null);
      main.append(left);
      if (hasReservoir) {
        main.append(splitter("x", main, "--side", side), side);
        side.append(this.reservoir.element);
      }
    }
    this.root.append(header, this.chips, main, this.help);
  }

  private fillChips(): void {
    this.chips.hidden = this.runs.length < 2 && !(this.data.study && this.runs.length);
    this.chips.replaceChildren(...this.runs.map((run, i) => {
      const key = h("span", { class: "chip-key" });
      key.style.background = `var(--curve-${(i % 8) + 1})`;
      return h("button", { type: "button", class: "chip", role: "radio", "aria-checked": String(i === this.active), onclick: () => this.setActive(i) }, key, run.label);
    }));
  }

  // What the text of the model says.
  private fillDocuments(): void {
    const { model } = this.data;
    nameFiles(model.name);
    document.title = `${model.name} · nsmc`;
    this.title.textContent = model.name;
    this.doc.textContent = this.doc.title = model.doc ?? "";
    if (model.latex) this.equations.replaceChildren(equationsPanel(model.latex));
    if (this.equations.offsetParent !== null) this.equations.dispatchEvent(new Event("shown"));
    if (model.sources?.length) this.source.replaceChildren(sourcePanel(model));
  }

  private fillParameters(): void {
    this.parameters.replaceChildren(parametersPanel(this.data.model, this.runs[this.active]));
  }

  private fillSave(menu: HTMLElement): void {
    const row = (text: string, act: () => void): void => {
      menu.append(h("button", { type: "button", class: "menu-row", role: "menuitem", onclick: () => { closeMenu(menu); act(); } }, text));
    };
    const { stage, recorder } = this;
    const run = this.runs[this.active];
    if (stage) row("Picture of the scene (PNG)", () => void saveCanvas(stage.picture(2), "scene"));
    if (recorder && canRecord()) row("Video of the animation (WebM)", () => recorder.start());
    row("Plotted columns (CSV)", () => {
      const names = new Set((this.plots?.specs ?? []).flatMap((spec) => [spec.x, ...spec.ys]));
      saveText(csvOf(run, [...names].map((name) => run.find(name)).filter((index) => index >= 0), run.start, run.end), "plots.csv", "text/csv");
    });
    row("All columns (CSV)", () => saveText(csvOf(run, run.columns.map((_, i) => i).filter((i) => !run.columns[i].hidden && run.columns[i].name !== "t"), run.start, run.end), "run.csv", "text/csv"));
    menu.append(h("p", { class: "note" }, "Plots and the reservoir are saved as SVG at their own buttons."));
  }

  /** False for a run that was not kept, or of another structure. */
  private openRun(index: number): boolean {
    const run = this.kept[index];
    if (!run || !this.update({ ...this.data, runs: [{ ...run }] })) return false;
    this.tabs?.show(1);
    return true;
  }

  setActive(index: number): void {
    this.active = index;
    [...this.chips.children].forEach((chip, i) => chip.setAttribute("aria-checked", String(i === index)));
    this.stage?.setActive(index);
    this.view?.fillFollow();
    this.reservoir.setRun(this.runs[index]);
    this.plots?.rebuild();
    this.energy?.rebuild();
    this.summary?.rebuild();
    this.transport?.setRun();
    this.fillParameters();
    this.show();
  }

  private wordsAt = 0;

  // Everything that follows the time. Numbers that change in every frame cannot be read: while it plays they are written now and then.
  private show(): void {
    const run = this.runs[this.active];
    const now = performance.now();
    const words = !this.clock.playing || now - this.wordsAt > 120;
    if (words) this.wordsAt = now;
    this.stage?.setTime(this.clock.t);
    this.reservoir.update(run.moment(this.clock.t).row, words);
    this.plots?.update(words);
    if (!words) return;
    this.energy?.update();
    this.summary?.update();
  }

  private stale = true;
  private last = 0;

  private frame(now: number): void {
    const passed = now - this.last;
    this.last = now;
    if (this.clock.playing) {
      this.clock.advance(Math.min(passed, 250) / 1000);
      this.stage?.watchSpeed(passed);
    }
    if (this.stale) {
      this.stale = false;
      this.show();
    }
    if (this.stage?.draw()) {
      this.view?.update();
      this.recorder?.frame();
    }
    requestAnimationFrame((next) => this.frame(next));
  }

  /** Scene and set are drawn as finely as they will be. */
  get isFine(): boolean {
    return !this.stale && (this.stage?.isFine ?? true) && this.reservoir.isFine;
  }

  private event(direction: number): void {
    const events = this.runs[this.active].events;
    const small = (this.clock.end - this.clock.start) * 1e-9;
    const found = direction > 0 ? events.find((event) => event.t > this.clock.t + small) : [...events].reverse().find((event) => event.t < this.clock.t - small);
    if (!found) return;
    this.clock.pause();
    this.clock.set(found.t);
    this.reservoir.showContact(found.contact);
  }

  private listen(): void {
    if (this.runs.length === 0) return listenToKeys({ t: () => switchTheme() });
    this.clock.onChange(() => (this.stale = true));
    onTheme(() => (this.stale = true));
    const { clock, view, stage } = this;
    const shortcuts: Shortcuts = {
      " ": () => clock.toggle(),
      ArrowLeft: (event) => this.transport?.step(event.shiftKey ? -10 : -1),
      ArrowRight: (event) => this.transport?.step(event.shiftKey ? 10 : 1),
      Home: () => clock.set(clock.start),
      End: () => clock.set(clock.end),
      "-": () => clock.changeSpeed(-1),
      "+": () => clock.changeSpeed(1),
      "=": () => clock.changeSpeed(1),
      "[": () => this.event(-1),
      "]": () => this.event(1),
      r: () => this.setActive((this.active + 1) % this.runs.length),
      t: () => switchTheme(),
      "?": () => this.help.showModal(),
    };
    if (view && stage) {
      Object.assign(shortcuts, {
        "1": () => view.look("top"), "2": () => view.look("front"), "3": () => view.look("side"), "0": () => view.look("free"),
        p: () => view.toggleProjection(), f: () => view.followNext(),
        a: () => stage.rig.turn(-keyTurn, 0), d: () => stage.rig.turn(keyTurn, 0), w: () => stage.rig.turn(0, keyTurn), s: () => stage.rig.turn(0, -keyTurn),
        z: () => stage.rig.zoom(1.15), x: () => stage.rig.zoom(1 / 1.15),
        c: () => { stage.shown.forces = !stage.shown.forces; stage.touch(); },
        g: () => { stage.shown.ghosts = !stage.shown.ghosts; stage.touch(); },
      });
    }
    listenToKeys(shortcuts);
  }
}
