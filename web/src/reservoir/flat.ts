// Sets of one and two dimensions as a drawing: the set, the present force -lambda as a point in it, the sliding velocity as an arrow.
import { h, svg } from "../app/dom";
import { quantity, roundBelow, unitText } from "../data/numbers";
import type { Law } from "../data/contract";
import { percentile, type Run } from "../data/run";
import { standalone } from "../save/files";
import { stateColor, type ContactState } from "../scene/contact_state";
import { Boundary, equalByUnit, rayThrough, usualReach } from "./boundary";

export interface ReservoirView {
  element: HTMLElement;
  update: (row: number, state: ContactState) => void;
  resize: () => void;
  /** Always as large as the picture, rather than in one scale for the whole run. */
  fit: boolean;
  /** The picture is as fine as it will be. */
  readonly isFine: boolean;
  /** What is seen, as a drawing that stands alone. */
  graphic: () => string;
}

const trailRows = 60;
const shortestArrow = 14;
const longestArrow = 67;

export class FlatReservoir implements ReservoirView {
  readonly element: HTMLElement;
  fit = false;
  readonly isFine = true;
  private readonly root: SVGSVGElement;
  private readonly boundaries: Boundary[];
  private readonly usual: number[];
  private readonly speed: number;
  private readonly axes = svg("g", { class: "axes" });
  private readonly shapes: SVGPathElement[];
  private readonly trail = svg("path", { class: "trail" });
  private readonly ray = svg("path", { class: "ray" });
  private readonly arrow = svg("path", { class: "velocity" });
  private readonly point = svg("circle", { class: "force", r: 5.5 });
  private width = 320;
  private height = 260;
  private drawnAxes = "";

  constructor(private readonly run: Run, private readonly law: Law) {
    this.boundaries = law.sets.map((set) => new Boundary(run, set, law.dim));
    this.usual = usualReach(run, law, this.boundaries);
    const velocity = law.velocity;
    this.speed = velocity && velocity.length ? percentile(run.rows, (row) => run.norm(velocity, row), 0.9) : 0;
    this.shapes = this.boundaries.map((boundary) => svg("path", { class: `set ${boundary.role}` }));
    this.root = svg("svg", { class: "reservoir-flat", role: "img", "aria-label": "set of admissible forces with the present force" },
      this.axes, ...this.shapes, this.trail, this.ray, this.point, this.arrow);
    this.element = h("div", { class: "reservoir-drawing" }, this.root);
  }

  graphic(): string {
    return standalone(this.root);
  }

  resize(): void {
    const box = this.element.getBoundingClientRect();
    this.width = Math.max(120, box.width);
    this.height = Math.max(90, box.height);
    this.root.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.drawnAxes = "";
  }

  update(row: number, state: ContactState): void {
    if (this.law.dim === 1) this.line(row, state);
    else this.plane(row, state);
  }

  private scales(row: number, force: number[]): number[] {
    const now = equalByUnit(this.law, this.usual.map((_, axis) => Math.max(Math.abs(force[axis]), ...this.boundaries.map((boundary) => boundary.reach(row)[axis] ?? 0))));
    return this.usual.map((usual, axis) => (this.fit && now[axis] > 0 ? now[axis] : Math.max(usual, now[axis])));
  }

  private line(row: number, state: ContactState): void {
    const { run, law } = this;
    const force = -run.at(law.force[0], row);
    const [reach] = this.scales(row, [force]);
    const middle = this.height / 2;
    const k = (this.width / 2 - longestArrow - 10) / reach; // an arrow beyond the end has room
    const x = (value: number): number => this.width / 2 + Math.max(-reach * 3, Math.min(reach * 3, value)) * k;
    this.paintAxes([reach], [k]);
    this.boundaries.forEach((boundary, i) => {
      const points = boundary.at(row);
      const half = 16 - 6 * i;
      const ends = [Math.min(...points), Math.max(...points)].map((value) => Math.max(4, Math.min(this.width - 4, this.width / 2 + value * k)));
      this.shapes[i].setAttribute("d", `M${ends[0]},${middle - half}H${ends[1]}V${middle + half}H${ends[0]}Z`);
    });
    const velocity = law.velocity?.length ? run.at(law.velocity[0], row) : 0;
    this.mark(x(force), middle, state);
    this.velocityArrow(x(force), middle, velocity === 0 || this.speed === 0 ? 0 : velocity / this.speed, 0, state);
    this.trail.setAttribute("d", "");
    this.ray.setAttribute("d", "");
  }

  private plane(row: number, state: ContactState): void {
    const { run, law } = this;
    const force = [-run.at(law.force[0], row), -run.at(law.force[1], row)];
    const reach = this.scales(row, force);
    const room = Math.min(this.width - 92, this.height - 64) / 2;
    const same = (law.units?.[0] ?? "") === (law.units?.[1] ?? "");
    // With one unit, a picture that is wider than high may use its width.
    const k = same ? [0, 1].map(() => Math.min((this.width - 92) / 2 / this.tight(row, 0, reach), (this.height - 60) / 2 / this.tight(row, 1, reach))) : reach.map((r) => room / r);
    const x = (value: number): number => this.width / 2 + value * k[0];
    const y = (value: number): number => this.height / 2 - value * k[1];
    this.paintAxes(reach, k);
    this.boundaries.forEach((boundary, i) => {
      const points = boundary.at(row);
      let path = "";
      for (let p = 0; p < points.length; p += 2) path += `${p === 0 ? "M" : "L"}${x(points[p]).toFixed(2)},${y(points[p + 1]).toFixed(2)}`;
      this.shapes[i].setAttribute("d", path ? `${path}Z` : "");
    });
    let trail = "";
    for (let r = Math.max(0, row - trailRows); r <= row; r++) {
      trail += `${trail ? "L" : "M"}${x(-run.at(law.force[0], r)).toFixed(1)},${y(-run.at(law.force[1], r)).toFixed(1)}`;
    }
    this.trail.setAttribute("d", trail);
    this.mark(x(force[0]), y(force[1]), state);

    // Two sets: the force lies on the first, the velocity is normal to the second where the ray to the force meets it.
    let foot = force;
    const second = this.boundaries.find((boundary) => boundary.role === "slip");
    this.ray.setAttribute("d", `M${x(0)},${y(0)}L${x(force[0])},${y(force[1])}`);
    if (second && (force[0] !== 0 || force[1] !== 0)) foot = rayThrough(second.at(row), force[0], force[1]);
    const velocity = law.velocity && law.velocity.length >= 2 ? [run.at(law.velocity[0], row), run.at(law.velocity[1], row)] : [0, 0];
    // Velocities are dual to forces: where an axis is stretched by k, their component shrinks by it, and normals stay normal.
    const mean = Math.sqrt(k[0] * k[1]);
    const scaled = [(velocity[0] * mean) / k[0], (velocity[1] * mean) / k[1]].map((v) => (this.speed > 0 ? v / this.speed : 0));
    this.velocityArrow(x(foot[0]), y(foot[1]), scaled[0], -scaled[1], state);
  }

  // The usual reach of an axis alone: an ellipse that is flat should fill the width.
  private tight(row: number, axis: number, reach: number[]): number {
    const own = Math.max(...this.boundaries.map((boundary) => boundary.reach(row)[axis] ?? 0));
    const other = Math.max(...this.boundaries.map((boundary) => Math.max(...boundary.reach(row))));
    const ratio = other > 0 ? Math.min(1, own / other) : 1;
    return Math.max(reach[axis] * Math.max(ratio, 0.35), 1e-300);
  }

  private mark(x: number, y: number, state: ContactState): void {
    this.point.setAttribute("cx", x.toFixed(2));
    this.point.setAttribute("cy", y.toFixed(2));
    this.point.style.fill = `var(${stateColor[state]})`;
  }

  private velocityArrow(x: number, y: number, vx: number, vy: number, state: ContactState): void {
    const size = Math.hypot(vx, vy);
    if (!(size > 1e-3) || state === "open" || state === "stick") {
      this.arrow.setAttribute("d", "");
      return;
    }
    const length = Math.min(longestArrow, shortestArrow + 38 * size);
    const [dx, dy] = [vx / size, vy / size];
    const [tx, ty] = [x + dx * length, y + dy * length];
    const head = 8;
    this.arrow.setAttribute("d", `M${x},${y}L${tx - dx * head},${ty - dy * head}` +
      `M${tx},${ty}L${tx - dx * head - dy * 3.6},${ty - dy * head + dx * 3.6}L${tx - dx * head + dy * 3.6},${ty - dy * head - dx * 3.6}Z`);
    this.arrow.style.stroke = this.arrow.style.fill = `var(${stateColor[state]})`;
  }

  private paintAxes(reach: number[], k: number[]): void {
    const key = [...reach, ...k, this.width, this.height].map((v) => v.toPrecision(4)).join();
    if (key === this.drawnAxes) return;
    this.drawnAxes = key;
    const { width, height, law } = this;
    const parts: SVGElement[] = [svg("path", { class: "axis", d: `M10,${height / 2}H${width - 10}` })];
    const label = (axis: number): string => law.axes?.[axis] ?? `λ${axis + 1}`;
    const unit = (axis: number): string => law.units?.[axis] ?? "";
    const text = (x: number, y: number, content: string, anchor: string, name = "axis-label"): SVGElement =>
      svg("text", { x, y, class: name, "text-anchor": anchor }, content);
    const step = roundBelow(law.dim === 1 ? reach[0] * 0.75 : (width / 2 - 44) / k[0]);
    const below = height / 2 + (law.dim === 1 ? 34 : 15);
    for (const sign of [-1, 1]) {
      const x = width / 2 + sign * step * k[0];
      parts.push(svg("path", { class: "tick", d: `M${x},${height / 2 - 3}v6` }), text(x, below, quantity(sign * step, unitText(unit(0)), 3), "middle", "tick-label"));
    }
    parts.push(text(width - 8, height / 2 - 8 - (law.dim === 1 ? 14 : 0), `−${label(0)}`, "end"));
    if (law.dim === 2) {
      parts.push(svg("path", { class: "axis", d: `M${width / 2},10V${height - 10}` }));
      const stepY = roundBelow((height / 2 - 14) / k[1]);
      for (const sign of [-1, 1]) {
        const y = height / 2 - sign * stepY * k[1];
        parts.push(svg("path", { class: "tick", d: `M${width / 2 - 3},${y}h6` }), text(width / 2 - 8, y + 4, quantity(sign * stepY, unitText(unit(1)), 3), "end", "tick-label"));
      }
      parts.push(text(width / 2 + 8, 18, `−${label(1)}`, "start"));
    }
    this.axes.replaceChildren(...parts);
  }
}
