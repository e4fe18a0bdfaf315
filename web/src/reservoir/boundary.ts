// The boundary of a set of forces at a row, and how large it is over a run.
import { float32Of } from "../data/base64";
import type { ForceSet, Law, Shape } from "../data/contract";
import type { Run } from "../data/run";

// Of the same set there are several readers; what is megabytes as text is decoded once.
const decoded = new WeakMap<Shape, Float32Array>();
function framesOf(shape: Shape): Float32Array | null {
  if (!shape.frames) return null;
  let frames = decoded.get(shape);
  if (!frames) decoded.set(shape, (frames = float32Of(shape.frames)));
  return frames;
}

export class Boundary {
  readonly count: number;
  readonly triangles: number[][];
  readonly role: ForceSet["role"];
  private readonly frames: Float32Array | null;
  private readonly points: Float32Array;
  private readonly buffer: Float32Array;

  constructor(private readonly run: Run, set: ForceSet, readonly dim: number) {
    const shape = set.boundary;
    this.role = set.role;
    this.triangles = shape.triangles ?? [];
    this.frames = framesOf(shape);
    this.points = Float32Array.from((shape.points ?? []).flatMap((point) => point.slice(0, dim)));
    this.count = this.frames ? (shape.n ?? 0) : this.points.length / dim;
    this.buffer = new Float32Array(this.count * dim);
    this.shape = shape;
  }
  private readonly shape: ForceSet["boundary"];

  /** Points one after another; valid until the next call. */
  at(row: number): Float32Array {
    const { dim, count, buffer } = this;
    if (this.frames) return this.frames.subarray(row * count * dim, (row + 1) * count * dim);
    const scale = this.shape.scale === undefined ? 1 : this.run.at(this.shape.scale, row);
    for (let axis = 0; axis < dim; axis++) {
      const channel = this.shape.offset?.[axis];
      const offset = channel === undefined || channel === null ? 0 : this.run.at(channel, row);
      for (let i = 0; i < count; i++) buffer[i * dim + axis] = offset + scale * this.points[i * dim + axis];
    }
    return buffer;
  }

  /** How far a force is on its way from the origin to the boundary: 1 is on it. 1, too, where that cannot be told. */
  share(row: number, force: number[]): number {
    const points = this.at(row);
    const size = Math.hypot(...force);
    if (!(size > 0)) return points.some((value) => Math.abs(value) > 0) ? 0 : 1;
    if (this.dim === 1) {
      const end = force[0] > 0 ? Math.max(...points) : -Math.min(...points);
      return end > 0 ? size / end : 1;
    }
    if (this.dim === 2) {
      const [x, y] = rayThrough(points, force[0], force[1]);
      return size / Math.hypot(x, y);
    }
    const reach = rayThroughTriangles(points, this.triangles, force);
    return reach > 0 ? 1 / reach : 1;
  }

  /** The largest coordinates of the points at a row, for each axis. */
  reach(row: number): number[] {
    const points = this.at(row);
    const found = new Array<number>(this.dim).fill(0);
    for (let i = 0; i < points.length; i++) {
      const size = Math.abs(points[i]);
      if (Number.isFinite(size)) found[i % this.dim] = Math.max(found[i % this.dim], size);
    }
    return found;
  }
}

/** How much of each axis the picture shows: the usual size of the sets. Axes of one unit have one scale. */
export function usualReach(run: Run, law: Law, boundaries: Boundary[]): number[] {
  const stride = Math.max(1, Math.floor(run.rows / 400));
  const samples: number[][] = Array.from({ length: law.dim }, () => []);
  for (let row = 0; row < run.rows; row += stride) {
    const all = boundaries.map((boundary) => boundary.reach(row));
    for (let axis = 0; axis < law.dim; axis++) {
      const largest = Math.max(0, ...all.map((reach) => reach[axis]));
      if (largest > 0) samples[axis].push(largest);
    }
  }
  const reach = samples.map((list) => {
    if (list.length === 0) return 1;
    list.sort((a, b) => a - b);
    // A little more than the usual set; a percussion a thousand times that must not shrink it to a dot.
    return Math.min(list[Math.floor(0.95 * (list.length - 1))], 1.25 * list[Math.floor(0.5 * (list.length - 1))]);
  });
  return equalByUnit(law, reach);
}

export function equalByUnit(law: Law, reach: number[]): number[] {
  return reach.map((own, axis) => Math.max(own, ...reach.filter((_, other) => (law.units?.[other] ?? "") === (law.units?.[axis] ?? ""))));
}

/** Where the ray from the origin through p leaves a polygon; p itself where it does not. */
export function rayThrough(points: Float32Array, px: number, py: number): [number, number] {
  const count = points.length / 2;
  let best = 0;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const ax = points[2 * i];
    const ay = points[2 * i + 1];
    const ex = points[2 * j] - ax;
    const ey = points[2 * j + 1] - ay;
    const determinant = px * ey - py * ex;
    if (Math.abs(determinant) < 1e-300) continue;
    const s = (ax * ey - ay * ex) / determinant; // along the ray
    const u = (ax * py - ay * px) / determinant; // along the edge
    if (s > best && u >= -1e-6 && u <= 1 + 1e-6) best = s;
  }
  return best > 0 ? [px * best, py * best] : [px, py];
}

/** The multiple of a direction from the origin at which it leaves a body of triangles; 0 where it does not. */
export function rayThroughTriangles(points: Float32Array, triangles: number[][], d: number[]): number {
  let best = 0;
  // p0 + u e1 + v e2 = s d, by Cramer's rule.
  for (const [a, b, c] of triangles) {
    const p = [0, 1, 2].map((k) => points[3 * a + k]);
    const e1 = [0, 1, 2].map((k) => points[3 * b + k] - p[k]);
    const e2 = [0, 1, 2].map((k) => points[3 * c + k] - p[k]);
    const n = cross(e1, e2);
    const along = dot(n, d);
    if (Math.abs(along) < 1e-300) continue;
    const s = dot(n, p) / along;
    if (s <= best) continue;
    const r = p.map((value, k) => s * d[k] - value);
    const area = dot(n, n);
    const u = dot(cross(r, e2), n) / area;
    const v = dot(cross(e1, r), n) / area;
    if (u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 2e-6) best = s;
  }
  return best;
}

const cross = (a: number[], b: number[]): number[] => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
