// The report of a study: measures as a map over two axes, as curves over one, and the table of all runs. Runs that failed are marked.
import { h, svg } from "../app/dom";
import type { Study, StudyRow } from "../data/contract";
import { number, roundBelow, unitText } from "../data/numbers";
import { saveText, standalone } from "../save/files";

interface Measure {
  name: string;
  unit: string;
}

const width = 720;
const height = 420;
const box = { left: 76, right: width - 96, top: 16, bottom: height - 52 };
const mostRows = 2000;

// A map from dark to light that reads in grey and for the colour-blind (a short viridis).
const map = ["#3b2f6e", "#3c5488", "#2e7a8f", "#2f9e86", "#6cbf6a", "#c4d34f", "#f6e45a"];
function mapColor(share: number): string {
  const at = Math.min(0.99999, Math.max(0, share)) * (map.length - 1);
  const i = Math.floor(at);
  const mix = (k: number): number => {
    const [a, b] = [parseInt(map[i].slice(1 + 2 * k, 3 + 2 * k), 16), parseInt(map[i + 1].slice(1 + 2 * k, 3 + 2 * k), 16)];
    return Math.round(a + (b - a) * (at - i));
  };
  return `rgb(${mix(0)},${mix(1)},${mix(2)})`;
}

const isFailed = (row: StudyRow): boolean => row.failed === true || (row.failed === undefined && row.status !== undefined && !/^(ok|done|finished)?$/i.test(row.status));

export class StudyPanel {
  readonly element: HTMLElement;
  private readonly measures: Measure[];
  private readonly figure = h("div", { class: "study-figure" });
  private readonly about = h("p", { class: "study-about", "aria-live": "polite" });
  private measure = 0;
  private across = 0;
  private along: number;
  private readonly slices: (number | string)[];

  constructor(private readonly study: Study, private readonly open: (run: number) => boolean) {
    this.measures = study.measures.map((one) => (typeof one === "string" ? { name: one, unit: "" } : { name: one.name, unit: unitText(one.unit) }));
    this.along = study.axes.length > 1 ? 1 : -1;
    this.slices = study.axes.map((axis) => axis.values[0]);
    const failed = study.rows.filter(isFailed).length;
    const controls = h("div", { class: "study-controls" });
    const choose = (label: string, options: string[], value: number, set: (value: number) => void): void => {
      if (options.length < 2) return;
      const select = h("select", { class: "quiet-select boxed", onchange: () => { set(Number(select.value)); this.draw(); } }, ...options.map((text, i) => h("option", { value: i }, text)));
      select.value = String(value);
      controls.append(h("label", {}, label, select));
    };
    choose("Measure", this.measures.map((one) => one.name), 0, (value) => (this.measure = value));
    choose("Horizontal", study.axes.map((axis) => axis.name), this.across, (value) => {
      if (value === this.along) this.along = this.across;
      this.across = value;
    });
    if (study.axes.length > 1) {
      choose("Vertical", [...study.axes.map((axis) => axis.name), "none: curves"], this.along, (value) => (this.along = value === study.axes.length || value === this.across ? -1 : value));
    }
    if (study.axes.length > 2) {
      study.axes.forEach((axis, k) => choose(axis.name, axis.values.map(String), 0, (value) => (this.slices[k] = axis.values[value])));
    }
    this.element = h("div", { class: "study" },
      h("header", { class: "study-head" }, h("h2", {}, "Study"),
        h("p", {}, `${study.rows.length} runs over ${study.axes.map((axis) => axis.name).join(" and ")}`, failed ? h("strong", { class: "failed-count" }, `, ${failed} failed`) : "")),
      controls, this.figure, this.about,
      h("div", { class: "document-tools" }, h("span", { class: "spacer" }),
        h("button", { type: "button", class: "text-button", onclick: () => this.saveFigure() }, "Save figure"),
        h("button", { type: "button", class: "text-button", onclick: () => this.saveTable() }, "Save table as CSV")),
      this.table());
    this.draw();
  }

  private say(row: StudyRow): void {
    const point = this.study.axes.map((axis, i) => `${axis.name} = ${typeof row.point[i] === "number" ? number(row.point[i] as number, 5) : row.point[i]}${axis.unit ? ` ${unitText(axis.unit)}` : ""}`).join(", ");
    const values = isFailed(row) ? `failed: ${row.status ?? "no result"}` : this.measures.map((one, i) => `${one.name} = ${row.values[i] === null ? "–" : number(row.values[i] as number, 5)}`).join(", ");
    this.about.textContent = `${point}: ${values}${row.run !== undefined ? "; click to see the run" : this.study.command ? "; click for the command that shows it" : ""}`;
  }

  // A run that was kept is shown; a page cannot run another, but says who does.
  private show(row: StudyRow): void {
    if (row.run !== undefined && this.open(row.run)) return;
    const { command, axes } = this.study;
    if (!command) return;
    const line = [command, ...axes.map((axis, i) => `${axis.option ?? ""}${row.point[i]}`)].join(" ");
    const copy = h("button", { type: "button", class: "text-button", onclick: () => {
      void navigator.clipboard?.writeText(line).then(() => (copy.textContent = "Copied"), () => undefined);
    } }, "Copy");
    const why = row.run !== undefined ? "It has other columns or another scene than the run shown." : isFailed(row) ? "" : "Its motion is not in this page (sweep --curves keeps all).";
    this.about.append(h("span", { class: "study-command" }, why, why ? " To see it: " : " To see how far it came: ", h("code", {}, line), copy));
  }

  private mark<T extends SVGElement>(element: T, row: StudyRow): T {
    element.addEventListener("pointerenter", () => this.say(row));
    element.addEventListener("click", () => {
      this.say(row);
      this.show(row);
    });
    element.classList.add(row.run !== undefined ? "opens" : "tells");
    return element;
  }

  private rowsShown(): StudyRow[] {
    return this.study.rows.filter((row) => this.study.axes.every((_, k) => k === this.across || k === this.along || this.along < 0 || String(row.point[k]) === String(this.slices[k])));
  }

  private draw(): void {
    this.figure.replaceChildren(this.along >= 0 ? this.heatMap() : this.curves());
  }

  private frame(xLabel: string, yLabel: string): SVGSVGElement {
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "study-svg", role: "img" });
    root.append(svg("text", { x: (box.left + box.right) / 2, y: height - 10, class: "axis-label", "text-anchor": "middle" }, xLabel),
      svg("text", { x: 18, y: (box.top + box.bottom) / 2, class: "axis-label", "text-anchor": "middle", transform: `rotate(-90 18 ${(box.top + box.bottom) / 2})` }, yLabel));
    return root;
  }

  private label(axis: number): string {
    const { name, unit } = this.study.axes[axis];
    return unit ? `${name} [${unitText(unit)}]` : name;
  }

  private heatMap(): SVGSVGElement {
    const rows = this.rowsShown();
    const [xs, ys] = [this.study.axes[this.across].values, this.study.axes[this.along].values];
    const root = this.frame(this.label(this.across), this.label(this.along));
    const good = rows.filter((row) => !isFailed(row) && row.values[this.measure] !== null).map((row) => row.values[this.measure] as number).filter(Number.isFinite);
    const [low, high] = good.length ? [Math.min(...good), Math.max(...good)] : [0, 1];
    const cell = [(box.right - box.left) / xs.length, (box.bottom - box.top) / ys.length];
    const place = new Map(rows.map((row) => [`${row.point[this.across]}|${row.point[this.along]}`, row]));
    xs.forEach((x, i) => ys.forEach((y, j) => {
      const row = place.get(`${x}|${y}`);
      const left = box.left + i * cell[0];
      const top = box.bottom - (j + 1) * cell[1];
      const value = row?.values[this.measure];
      const bad = !row || isFailed(row) || value === null || value === undefined || !Number.isFinite(value);
      const group = svg("g", {}, svg("rect", { x: left, y: top, width: cell[0] + 0.4, height: cell[1] + 0.4, class: bad ? "cell bad" : "cell" }));
      if (!bad) (group.firstChild as SVGElement).style.fill = mapColor(high > low ? ((value as number) - low) / (high - low) : 0.5);
      else if (row) {
        const r = Math.min(cell[0], cell[1], 26) * 0.22;
        const [cx, cy] = [left + cell[0] / 2, top + cell[1] / 2];
        group.append(svg("path", { class: "cross", d: `M${cx - r},${cy - r}l${2 * r},${2 * r}M${cx + r},${cy - r}l${-2 * r},${2 * r}` }));
      }
      root.append(row ? this.mark(group, row) : group);
    }));
    const ticks = (values: (number | string)[], count: number): number[] => {
      const stride = Math.max(1, Math.ceil(values.length / count));
      return values.map((_, i) => i).filter((i) => i % stride === 0);
    };
    const text = (value: number | string): string => (typeof value === "number" ? number(value, 4) : value);
    for (const i of ticks(xs, 10)) root.append(svg("text", { x: box.left + (i + 0.5) * cell[0], y: box.bottom + 17, class: "tick-label", "text-anchor": "middle" }, text(xs[i])));
    for (const j of ticks(ys, 12)) root.append(svg("text", { x: box.left - 8, y: box.bottom - (j + 0.5) * cell[1] + 4, class: "tick-label", "text-anchor": "end" }, text(ys[j])));
    // The key of colours.
    const steps = 48;
    for (let k = 0; k < steps; k++) {
      const strip = svg("rect", { x: box.right + 18, y: box.bottom - ((k + 1) / steps) * (box.bottom - box.top), width: 12, height: (box.bottom - box.top) / steps + 0.5 });
      strip.style.fill = mapColor((k + 0.5) / steps);
      root.append(strip);
    }
    [low, (low + high) / 2, high].forEach((value, k) => root.append(svg("text", { x: box.right + 35, y: box.bottom - (k / 2) * (box.bottom - box.top) + (k === 2 ? 10 : k === 1 ? 4 : 0), class: "tick-label" }, number(value, 3))));
    return root;
  }

  private curves(): SVGSVGElement {
    const { axes } = this.study;
    const axis = axes[this.across];
    const { name, unit } = this.measures[this.measure];
    const root = this.frame(this.label(this.across), unit ? `${name} [${unit}]` : name);
    const numeric = axis.values.every((value) => typeof value === "number");
    const xOf = (row: StudyRow): number => (numeric ? (row.point[this.across] as number) : axis.values.indexOf(row.point[this.across]));
    const rows = this.study.rows;
    const xs = rows.map(xOf);
    const good = rows.filter((row) => !isFailed(row) && row.values[this.measure] !== null && Number.isFinite(row.values[this.measure] as number));
    const ys = good.map((row) => row.values[this.measure] as number);
    const range = (list: number[], air: number): [number, number] => {
      const [low, high] = list.length ? [Math.min(...list), Math.max(...list)] : [0, 1];
      const size = high - low || Math.abs(high) * 0.2 || 1;
      return [low - air * size, high + air * size];
    };
    const [x0, x1] = range(xs, 0.02);
    const [y0, y1] = range(ys, 0.07);
    const px = (x: number): number => box.left + ((x - x0) / (x1 - x0)) * (box.right - box.left);
    const py = (y: number): number => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);
    const ticks = (low: number, high: number, about: number): number[] => {
      const step = roundBelow(((high - low) / about) * 1.5);
      const found: number[] = [];
      for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(Number((i * step).toPrecision(12)));
      return found;
    };
    for (const y of ticks(y0, y1, 6)) root.append(svg("path", { class: "grid-line", d: `M${box.left},${py(y)}H${box.right}` }), svg("text", { x: box.left - 8, y: py(y) + 4, class: "tick-label", "text-anchor": "end" }, number(y, 5)));
    if (numeric) for (const x of ticks(x0, x1, 9)) root.append(svg("text", { x: px(x), y: box.bottom + 17, class: "tick-label", "text-anchor": "middle" }, number(x, 5)));
    else axis.values.forEach((value, i) => root.append(svg("text", { x: px(i), y: box.bottom + 17, class: "tick-label", "text-anchor": "middle" }, String(value))));
    root.append(svg("path", { class: "axis", d: `M${box.left},${box.top}V${box.bottom}H${box.right}` }));
    // One curve for each combination of the other axes.
    const families = new Map<string, StudyRow[]>();
    for (const row of rows) {
      const key = axes.map((one, k) => (k === this.across ? "" : `${one.name} = ${typeof row.point[k] === "number" ? number(row.point[k] as number, 4) : row.point[k]}`)).filter(Boolean).join(", ");
      families.set(key, [...(families.get(key) ?? []), row]);
    }
    let family = 0;
    for (const [key, members] of families) {
      const line = members.filter((row) => good.includes(row)).sort((a, b) => xOf(a) - xOf(b));
      const d = line.map((row, i) => `${i ? "L" : "M"}${px(xOf(row)).toFixed(2)},${py(row.values[this.measure] as number).toFixed(2)}`).join("");
      const path = svg("path", { class: "study-curve", d });
      path.style.stroke = `var(--curve-${(family % 8) + 1})`;
      root.append(path);
      for (const row of line) {
        const dot = svg("circle", { class: "study-dot", cx: px(xOf(row)), cy: py(row.values[this.measure] as number), r: members.length > 60 ? 2 : 3.4 });
        dot.style.fill = `var(--curve-${(family % 8) + 1})`;
        root.append(this.mark(dot, row));
      }
      if (families.size > 1 && family < 16) {
        root.append(svg("path", { d: `M${box.right + 8},${box.top + 8 + family * 17}h12`, style: `stroke: var(--curve-${(family % 8) + 1}); stroke-width: 2` }),
          svg("text", { x: box.right + 25, y: box.top + 12 + family * 17, class: "tick-label" }, key.replace(/^.*= /, "")));
      }
      family++;
    }
    for (const row of rows.filter(isFailed)) {
      const [cx, cy] = [px(xOf(row)), box.bottom - 8];
      root.append(this.mark(svg("g", {}, svg("rect", { x: cx - 7, y: cy - 7, width: 14, height: 14, fill: "transparent" }), svg("path", { class: "cross", d: `M${cx - 4},${cy - 4}l8,8M${cx + 4},${cy - 4}l-8,8` })), row));
    }
    return root;
  }

  private table(): HTMLElement {
    const { axes, rows } = this.study;
    const show = (value: number | string | null): string => (value === null || value === undefined ? "–" : typeof value === "number" ? number(value, 6) : value);
    const head = h("tr", {}, ...axes.map((_, k) => h("th", { class: "right" }, this.label(k))),
      ...this.measures.map((one) => h("th", { class: "right" }, one.unit ? `${one.name} [${one.unit}]` : one.name)), h("th", {}, "Result"));
    const body = h("tbody", {}, ...rows.slice(0, mostRows).map((row) => {
      const line = h("tr", { class: isFailed(row) ? "failed" : row.run !== undefined ? "opens" : "" },
        ...axes.map((_, k) => h("td", { class: "right number" }, show(row.point[k]))),
        ...this.measures.map((_, k) => h("td", { class: "right number" }, isFailed(row) && row.values[k] === undefined ? "–" : show(row.values[k]))),
        h("td", {}, isFailed(row) ? `✕ ${row.status ?? "failed"}` : (row.status ?? "ok")));
      line.addEventListener("click", () => this.show(row));
      return line;
    }));
    return h("div", { class: "study-table" }, h("table", { class: "parameters" }, h("thead", {}, head), body),
      rows.length > mostRows ? h("p", { class: "note" }, `the first ${mostRows} of ${rows.length} runs are listed; the CSV has all`) : null);
  }

  private saveFigure(): void {
    const drawing = this.figure.querySelector("svg");
    if (drawing) saveText(standalone(drawing as SVGSVGElement), `study_${this.measures[this.measure].name}.svg`, "image/svg+xml");
  }

  private saveTable(): void {
    const { axes, rows } = this.study;
    const lines = [[...axes.map((axis) => axis.name), ...this.measures.map((one) => one.name), "status"].join(",")];
    for (const row of rows) lines.push([...row.point, ...this.measures.map((_, k) => row.values[k] ?? ""), JSON.stringify(row.status ?? (isFailed(row) ? "failed" : "ok"))].join(","));
    saveText(lines.join("\n") + "\n", "study.csv", "text/csv");
  }
}
