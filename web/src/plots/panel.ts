// The plots beside the scene: what to begin with, adding, changing and removing them.
import { closeMenu, h, icon, iconButton, menuButton } from "../app/dom";
import { onTheme } from "../app/theme";
import type { Clock } from "../data/clock";
import { number } from "../data/numbers";
import type { Run } from "../data/run";
import { csvOf } from "../save/csv";
import { saveText } from "../save/files";
import { rangeOf, unitOf, type PlotSpec } from "./curves";
import { plotDrawing } from "./drawing";
import { fillPicker } from "./picker";
import { Plot } from "./plot";

/** The model's own outputs first, then normal forces, then coordinates: what a reader looks for. */
export function firstPlots(run: Run): PlotSpec[] {
  const shown = run.columns.map((column, index) => ({ ...column, index })).filter((column) => !column.hidden && column.name !== "t");
  // What changes by rounding alone does not change: less than a ten-millionth of what is usual in its unit.
  const sizes = new Map<string, number>();
  for (const column of shown) {
    const [low, high] = rangeOf([run.column(column.index)], 0);
    sizes.set(column.unit ?? "", Math.max(sizes.get(column.unit ?? "") ?? 0, Math.abs(low), Math.abs(high)));
  }
  const varies = (index: number): boolean => {
    const values = run.column(index);
    const limit = Math.max(1e-7 * (sizes.get(run.columns[index].unit ?? "") ?? 0), 1e-13);
    return values.some((value) => Math.abs(value - values[0]) > limit);
  };
  // Two names of one number, as of a coordinate that is an output, too, are one curve.
  const isNew = (index: number, among: typeof shown): boolean => {
    const values = run.column(index);
    return !among.some((other) => other.index < index && run.column(other.index).every((value, row) => value === values[row]));
  };
  const isEnergy = (name: string): boolean => /energy|dissipated/.test(name);
  const plain = shown.filter((column) => !column.name.includes(".") && !isEnergy(column.name) && varies(column.index));
  const outputs = plain.filter((column) => column.doc);
  const specs: PlotSpec[] = [];
  const add = (columns: typeof shown, most: number): void => {
    columns = columns.filter((column) => isNew(column.index, columns));
    if (columns.length) specs.push({ x: "t", ys: columns.slice(0, most).map((column) => column.name) });
  };
  const first = outputs.length ? outputs : plain.length ? plain : shown.filter((column) => /position|angle|coord/.test(column.name) && varies(column.index));
  const unit = first[0]?.unit ?? "";
  const same = first.filter((column) => (column.unit ?? "") === unit);
  add(same.length > 1 ? same : first.slice(0, 2), 3);
  const rest = first.filter((column) => (column.unit ?? "") !== unit);
  if (same.length > 1 && rest.length) add(rest, 3);
  add(shown.filter((column) => /\.N(\[\d+\])?$/.test(column.name) && varies(column.index)), 4);
  if (specs.length === 0) add(shown.filter((column) => varies(column.index)), 2);
  return specs.slice(0, 3);
}

class PlotCard {
  readonly element: HTMLElement;
  readonly plot: Plot;
  private readonly legend = h("div", { class: "legend" });
  private values: { text: HTMLElement; index: number }[] = [];

  constructor(private readonly panel: PlotsPanel, readonly spec: PlotSpec, removable: boolean) {
    this.plot = new Plot(() => panel.runs, () => panel.active, panel.clock, spec);
    const reset = h("button", { type: "button", class: "text-button", hidden: true, onclick: () => this.plot.resetZoom() }, "Whole range");
    this.plot.element.addEventListener("zoom", () => (reset.hidden = !this.plot.isZoomed));
    this.plot.element.addEventListener("built", () => this.update());
    const add = menuButton(iconButton("plus", "Add or remove curves", () => undefined), (menu) =>
      fillPicker(menu, panel.active, () => spec.ys, (name) => {
        const at = spec.ys.indexOf(name);
        if (at >= 0) spec.ys.splice(at, 1);
        else spec.ys.push(name);
        this.rebuild();
      }));
    const more = menuButton(iconButton("more", "More about this plot", () => undefined), (menu) => {
      const row = (text: string, act: () => void): HTMLElement => h("button", { type: "button", class: "menu-row", role: "menuitem", onclick: () => { closeMenu(menu); act(); } }, text);
      const axis = h("button", { type: "button", class: "menu-row", role: "menuitem", onclick: () => {
        menu.replaceChildren();
        fillPicker(menu, panel.active, () => [spec.x], (name) => {
          spec.x = name;
          this.rebuild();
          closeMenu(menu);
        }, { time: true });
        menu.querySelector("input")?.focus();
      } }, `Horizontal axis: ${spec.x} …`);
      menu.append(axis, row("Save as SVG", () => this.saveDrawing()), row("Save data as CSV", () => this.saveData()));
      if (removable) menu.append(row("Remove this plot", () => panel.remove(this)));
    });
    this.element = h("figure", { class: "plot-card" }, h("figcaption", {}, this.legend, h("span", { class: "spacer" }), reset, add, more), this.plot.element);
    this.fillLegend();
  }

  rebuild(): void {
    this.plot.rebuild();
    this.fillLegend();
    this.update();
  }

  private fillLegend(): void {
    const several = this.panel.runs.length > 1;
    this.values = [];
    const entries = this.spec.ys.map((name, k) => {
      const value = h("span", { class: "legend-value" });
      this.values.push({ text: value, index: k });
      const key = h("span", { class: `legend-key${several ? ` stroke-${k % 5}` : ""}` });
      key.style.setProperty("--key", several ? "var(--muted)" : `var(--curve-${(k % 8) + 1})`);
      const doc = this.panel.active.columns.find((column) => column.name === name)?.doc;
      return h("span", { class: "legend-entry", title: doc || name }, key, h("span", { class: "legend-name" }, name), value);
    });
    const against = this.spec.x === "t" ? null : h("span", { class: "legend-against" }, `over ${this.spec.x}`);
    const title = this.spec.title ? h("span", { class: "legend-title" }, this.spec.title) : null;
    this.legend.replaceChildren(...[title, ...entries, against].filter((element): element is HTMLElement => element !== null));
    if (this.spec.ys.length === 0) this.legend.replaceChildren(h("span", { class: "legend-against" }, "choose curves with +"));
  }

  /** `words`: with the numbers of the legend. */
  update(words = true): void {
    this.plot.update();
    if (!words) return;
    const active = this.panel.active;
    for (const { text, index } of this.values) {
      const curve = this.plot.curves.find((one) => one.run === active && one.name === this.spec.ys[index]);
      text.textContent = curve ? number(this.plot.valueNow(curve), 4) : "";
    }
  }

  private saveDrawing(): void {
    const unit = unitOf(this.panel.runs, this.spec, this.spec.x);
    saveText(plotDrawing(this.plot, unit ? `${this.spec.x} [${unit}]` : this.spec.x), `${this.spec.ys.join("_")}.svg`, "image/svg+xml");
  }

  private saveData(): void {
    const run = this.panel.active;
    const columns = [this.spec.x, ...this.spec.ys].map((name) => run.find(name)).filter((index) => index >= 0);
    const range = this.spec.x === "t" ? this.plot.ranges().x : [run.start, run.end];
    saveText(csvOf(run, columns, range[0], range[1]), `${this.spec.ys.join("_")}.csv`, "text/csv");
  }
}

export class PlotsPanel {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "plots" });
  private cards: PlotCard[] = [];

  constructor(readonly runs: Run[], private readonly current: () => Run, readonly clock: Clock, specs: PlotSpec[], fixed = false) {
    const add = h("button", { type: "button", class: "add-plot", onclick: () => this.add({ x: "t", ys: [] }) }, icon("plus"), "Add a plot");
    this.element = h("div", { class: "plots-panel" }, this.list, fixed ? null : add);
    for (const spec of specs) this.add(spec, !fixed);
    onTheme(() => this.rebuild());
  }

  get active(): Run {
    return this.current();
  }
  get specs(): PlotSpec[] {
    return this.cards.map((card) => card.spec);
  }

  add(spec: PlotSpec, removable = true): void {
    const card = new PlotCard(this, spec, removable);
    this.cards.push(card);
    this.list.append(card.element);
  }

  remove(card: unknown): void {
    const at = this.cards.indexOf(card as PlotCard);
    if (at < 0) return;
    this.cards[at].plot.destroy();
    this.cards[at].element.remove();
    this.cards.splice(at, 1);
  }

  rebuild(): void {
    for (const card of this.cards) card.rebuild();
  }

  update(words = true): void {
    if (this.element.offsetParent === null) return; // another tab is open
    for (const card of this.cards) card.update(words);
  }
}
