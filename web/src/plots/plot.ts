// A plot: uPlot in the mode in which every curve has its own x, so that runs of different lengths and phase portraits are one case.
// The marks of the present moment are elements over it: playing draws no curve anew.
import uPlot from "uplot";
import { h } from "../app/dom";
import { color } from "../app/theme";
import { number } from "../data/numbers";
import type { Clock } from "../data/clock";
import { percentile, type Run } from "../data/run";
import { curvesOf, rangeOf, unitOf, type Curve, type PlotSpec } from "./curves";

export interface Ranges {
  [scale: string]: [number, number];
}

const manyEvents = 400;

export class Plot {
  readonly element = h("div", { class: "plot-area" });
  curves: Curve[] = [];
  units: string[] = [];
  private chart: uPlot | null = null;
  private readonly line = h("div", { class: "plot-now" });
  private dots: HTMLElement[] = [];
  private full: Ranges = {};
  private zoomed: Ranges | null = null;
  private shownNames: string[] = [];

  constructor(private readonly runs: () => Run[], private readonly active: () => Run, private readonly clock: Clock, readonly spec: PlotSpec) {
    let known = "";
    new ResizeObserver(() => {
      const box = this.element.getBoundingClientRect();
      const size = `${Math.round(box.width)} ${Math.round(box.height)}`;
      if (size === known || box.width < 40) return;
      known = size;
      if (this.chart) this.chart.setSize({ width: box.width, height: box.height });
      else this.rebuild();
      this.update();
    }).observe(this.element);
  }

  get isZoomed(): boolean {
    return this.zoomed !== null;
  }

  /** The scales as shown now: what is saved is what is seen. */
  ranges(): Ranges {
    const found: Ranges = {};
    for (const name of Object.keys(this.full)) {
      const scale = this.chart?.scales[name];
      found[name] = scale && scale.min !== undefined && scale.min !== null ? [scale.min, scale.max as number] : this.full[name];
    }
    return found;
  }

  scaleOf(curve: Curve): string {
    return `y${this.units.indexOf(curve.unit)}`;
  }

  rebuild(): void {
    const box = this.element.getBoundingClientRect();
    if (box.width < 40) return;
    this.chart?.destroy();
    this.element.replaceChildren();
    this.curves = curvesOf(this.runs(), this.spec);
    this.units = [...new Set(this.curves.map((curve) => curve.unit))];
    const last = this.full;
    this.full = { x: rangeOf(this.curves.map((curve) => curve.x), this.spec.x === "t" ? 0 : 0.04) };
    this.units.forEach((unit, i) => (this.full[`y${i}`] = rangeOf(this.curves.filter((curve) => curve.unit === unit).map((curve) => curve.y), 0.06)));
    const same = JSON.stringify([last.x, this.shownNames]) === JSON.stringify([this.full.x, this.spec.ys]);
    if (!same) {
      this.shownNames = [...this.spec.ys];
      this.zoomed = this.usual();
      queueMicrotask(() => this.element.dispatchEvent(new Event("zoom")));
    }

    const scales: uPlot.Scales = {};
    for (const name of Object.keys(this.full)) {
      scales[name] = { time: false, auto: false, range: (_, min, max) => (min === null || max === null || min === undefined ? this.full[name] : [min, max]) };
    }
    const font = "11px Inter, sans-serif";
    const axis = (scale: string, side: 0 | 1 | 2 | 3, label: string, grid: boolean): uPlot.Axis => ({
      scale, side, label: label || undefined, font, labelFont: font, labelSize: label ? 16 : 0, labelGap: 0, gap: 4,
      size: side % 2 === 0 ? 24 : (_, values) => 16 + 6.2 * Math.max(2, ...(values ?? [""]).map((value) => String(value).length)),
      stroke: color("--muted"), grid: { show: grid, stroke: color("--line"), width: 1 }, ticks: { show: true, stroke: color("--line-strong"), width: 1, size: 4 },
      border: { show: true, stroke: color("--line-strong"), width: 1 },
      values: (_, splits) => splits.map((value) => number(value, 6)), space: side % 2 === 0 ? 60 : 24,
    });
    const x = this.spec.x;
    const xUnit = unitOf(this.runs(), this.spec, x);
    const axes: uPlot.Axis[] = [axis("x", 2, xUnit ? `${x} [${xUnit}]` : x, true)];
    this.units.forEach((unit, i) => axes.push(axis(`y${i}`, i % 2 === 0 ? 3 : 1, unit ? `[${unit}]` : "", i === 0)));

    const stroke = (u: uPlot, index: number): null => {
      const curve = this.curves[index - 1];
      const context = u.ctx;
      const scale = this.scaleOf(curve);
      context.save();
      context.beginPath();
      context.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      context.clip();
      context.strokeStyle = curve.color();
      const faded = this.runs().length > 1 && curve.run !== this.active();
      context.globalAlpha = faded ? 0.55 : 1;
      context.lineWidth = (faded ? 1.2 : 1.7) * devicePixelRatio;
      context.lineJoin = "round";
      context.setLineDash(curve.dash.map((d) => d * devicePixelRatio));
      context.beginPath();
      let pen = false;
      for (let i = 0; i < curve.x.length; i++) {
        const value = curve.y[i];
        if (!Number.isFinite(value)) {
          pen = false;
          continue;
        }
        const px = u.valToPos(curve.x[i], "x", true);
        const py = u.valToPos(value, scale, true);
        if (pen) context.lineTo(px, py);
        else context.moveTo(px, py);
        pen = true;
      }
      context.stroke();
      context.restore();
      return null;
    };
    const data = [null, ...this.curves.map((curve) => [curve.x, curve.y])] as unknown as uPlot.AlignedData;
    const series = [{}, ...this.curves.map((curve) => ({
      label: curve.name, paths: stroke, points: { show: false },
      facets: [{ scale: "x", auto: false }, { scale: this.scaleOf(curve), auto: false }],
    }))] as unknown as uPlot.Series[];
    this.chart = new uPlot({
      mode: 2, width: box.width, height: box.height, padding: [8, this.units.length > 1 ? 4 : 12, 0, 4], scales, axes, series,
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: true, uni: 24, setScale: false }, bind: { dblclick: () => () => { this.resetZoom(); return null; } } },
      hooks: {
        drawClear: [(u) => this.drawEvents(u)],
        setSelect: [(u) => this.zoomTo(u)],
      },
    }, data, this.element);
    this.applyRanges();
    this.dots = this.curves.map((curve) => {
      const dot = h("div", { class: "plot-dot" });
      dot.style.background = curve.color();
      return dot;
    });
    this.line.hidden = this.spec.x !== "t";
    this.chart.over.append(this.line, ...this.dots);
    this.watchClicks(this.chart);
    this.update();
    this.element.dispatchEvent(new Event("built"));
  }

  // A percussion a hundred times the weight would flatten all else: the first look is at what is usual, and says that there is more.
  private usual(): Ranges | null {
    const found: Ranges = {};
    this.units.forEach((unit, i) => {
      const values = this.curves.filter((curve) => curve.unit === unit).map((curve) => curve.y);
      const high = Math.max(...values.map((list) => percentile(list.length, (row) => list[row], 0.985)));
      const [low, top] = rangeOf(values, 0);
      const air = 0.08 * high;
      if (high > 0 && Math.max(top, -low) > 8 * high) found[`y${i}`] = [Math.max(low, -1.4 * high) - air, Math.min(top, 1.4 * high) + air];
    });
    return Object.keys(found).length ? found : null;
  }

  private applyRanges(): void {
    const chart = this.chart;
    if (!chart) return;
    chart.batch(() => {
      for (const [name, [min, max]] of Object.entries({ ...this.full, ...(this.zoomed ?? {}) })) if (name in this.full) chart.setScale(name, { min, max });
    });
  }

  private zoomTo(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width < 4 && height < 4) return;
    const zoomed: Ranges = {};
    if (width >= 4) zoomed.x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    // Over the whole height, only x was meant.
    if (height >= 4 && height < u.over.clientHeight - 1) {
      this.units.forEach((_, i) => (zoomed[`y${i}`] = [u.posToVal(top + height, `y${i}`), u.posToVal(top, `y${i}`)]));
    }
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.zoomed = { ...(this.zoomed ?? {}), ...zoomed };
    this.applyRanges();
    this.element.dispatchEvent(new Event("zoom"));
    this.update();
  }

  resetZoom(): void {
    if (!this.zoomed) return;
    this.zoomed = null;
    this.applyRanges();
    this.element.dispatchEvent(new Event("zoom"));
    this.update();
  }

  // A click that is no drag sets the time: its own in a plot over time, that of the nearest point in a phase portrait.
  private watchClicks(u: uPlot): void {
    let down: [number, number] | null = null;
    u.over.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    u.over.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const box = u.over.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      if (this.spec.x === "t") return this.clock.set(u.posToVal(px, "x"));
      let best = Infinity;
      let t = this.clock.t;
      for (const curve of this.curves.filter((one) => one.run === this.active())) {
        for (let i = 0; i < curve.x.length; i++) {
          const distance = Math.hypot(u.valToPos(curve.x[i], "x") - px, u.valToPos(curve.y[i], this.scaleOf(curve)) - py);
          if (distance < best) {
            best = distance;
            t = curve.run.t[i];
          }
        }
      }
      this.clock.set(t);
    });
  }

  private drawEvents(u: uPlot): void {
    const events = this.active().events;
    if (this.spec.x !== "t" || events.length === 0 || events.length > manyEvents) return;
    const context = u.ctx;
    context.save();
    context.strokeStyle = color("--impact");
    context.globalAlpha = events.length > 60 ? 0.1 : 0.2;
    context.lineWidth = devicePixelRatio;
    for (const event of events) {
      const x = Math.round(u.valToPos(event.t, "x", true)) + 0.5;
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      context.beginPath();
      context.moveTo(x, u.bbox.top);
      context.lineTo(x, u.bbox.top + u.bbox.height);
      context.stroke();
    }
    context.restore();
  }

  valueNow(curve: Curve): number {
    const moment = curve.run.moment(this.clock.t);
    const a = curve.y[moment.row];
    return moment.fraction === 0 ? a : a + (curve.y[moment.row + 1] - a) * moment.fraction;
  }

  update(): void {
    const u = this.chart;
    if (!u || !this.element.isConnected) return;
    const width = u.over.clientWidth;
    const height = u.over.clientHeight;
    if (this.spec.x === "t") {
      const x = u.valToPos(this.clock.t, "x");
      this.line.hidden = !(x >= 0 && x <= width);
      this.line.style.transform = `translateX(${x}px)`;
    }
    this.curves.forEach((curve, i) => {
      const moment = curve.run.moment(this.clock.t);
      const between = (list: ArrayLike<number>): number => (moment.fraction === 0 ? list[moment.row] : list[moment.row] + (list[moment.row + 1] - list[moment.row]) * moment.fraction);
      const x = u.valToPos(between(curve.x), "x");
      const y = u.valToPos(between(curve.y), this.scaleOf(curve));
      const inside = x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1;
      this.dots[i].style.transform = inside ? `translate(${x}px, ${y}px)` : "translate(-99px, -99px)";
    });
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = null;
  }
}
