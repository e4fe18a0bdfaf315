// Where the scene is and how large: what the camera, the grid and the arrows are measured by.
import type { Channel, Item, Vector } from "../data/contract";
import { Run, moves, percentile } from "../data/run";

export interface Extent {
  min: [number, number, number];
  max: [number, number, number];
  center: [number, number, number];
  /** Half of the largest edge; never zero. */
  radius: number;
}

function reach(run: Run, item: Item, row: number): number {
  const value = (channel: Channel | undefined): number => (channel === undefined ? 0 : Math.abs(run.at(channel, row)));
  switch (item.kind) {
    case "sphere":
    case "circle":
      return value(item.radius);
    case "ellipsoid":
      return Math.max(0, ...(item.radii ?? []).map(value));
    case "box":
      return Math.hypot(...(item.size ?? []).map(value)) / 2;
    case "capsule":
      return value(item.length) / 2 + value(item.radius);
    case "cylinder":
    case "cone":
    case "disc":
      return Math.hypot(value(item.radius), (value(item.length) || value(item.thickness)) / 2);
    case "polyhedron":
    case "polygon":
      return Math.max(0, ...(item.points ?? []).map((point) => Math.hypot(...point.map(value))));
    default:
      return 0;
  }
}

/** The points that an item certainly touches, besides the sphere of its reach about its position. */
export function anchors(item: Item): Vector[] {
  if (item.kind === "line" || item.kind === "polyline" || item.kind === "spring") return item.points ?? [];
  if (item.kind === "arrow") return [item.from, item.to].filter((point): point is Vector => !!point);
  if (item.kind === "plane") return [];
  return item.position ? [item.position] : [];
}

export function allItems(run: Run): Item[] {
  return [...run.scene.items, ...(run.scene.springs ?? [])];
}

class Box {
  readonly min: [number, number, number] = [Infinity, Infinity, Infinity];
  readonly max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  add(axis: number, x: number, size: number): void {
    if (!Number.isFinite(x)) return;
    this.min[axis] = Math.min(this.min[axis], x - size);
    this.max[axis] = Math.max(this.max[axis], x + size);
  }
  get empty(): boolean {
    return !(this.max[0] >= this.min[0]);
  }
  get radius(): number {
    return this.empty ? 0 : Math.max(...this.max.map((high, axis) => high - this.min[axis])) / 2;
  }
}

function movingItems(run: Run): Item[] {
  return allItems(run).filter((item) => item.kind !== "plane" && (anchors(item).some((point) => moves(point)) || moves(item.orientation ?? null)));
}

function addItems(box: Box, run: Run, items: Item[], rows: number): void {
  const stride = Math.max(1, Math.floor((rows * items.length * 3) / 400000));
  for (let row = 0; row < rows; row += stride) {
    for (const item of items) {
      const size = reach(run, item, row);
      for (const point of anchors(item)) for (let axis = 0; axis < 3; axis++) box.add(axis, run.at(point[axis] ?? 0, row), size);
    }
  }
}

/** Of what moves, all; of what stands still (a pole, a wall), as much as does not make the rest small. */
export function extentOf(runs: Run[]): Extent {
  const moving = new Box();
  const still = new Box();
  for (const run of runs) {
    const items = allItems(run).filter((item) => item.kind !== "plane");
    const moved = movingItems(run);
    addItems(moving, run, moved, run.rows);
    addItems(still, run, items.filter((item) => !moved.includes(item)), Math.min(1, run.rows));
    if (items.length > 0) continue;
    for (const contact of run.scene.contacts) for (let axis = 0; axis < 3; axis++) if (contact.point) still.add(axis, run.at(contact.point[axis] ?? 0, 0), 0);
  }
  const room = moving.empty ? Infinity : 0.5 * moving.radius;
  const min: [number, number, number] = [-0.5, -0.5, -0.5];
  const max: [number, number, number] = [0.5, 0.5, 0.5];
  const whole = still.radius <= 2 * moving.radius || !Number.isFinite(room);
  for (let axis = 0; axis < 3; axis++) {
    if (moving.empty && still.empty) break;
    const low = whole ? still.min[axis] : Math.max(still.min[axis], moving.min[axis] - room);
    const high = whole ? still.max[axis] : Math.min(still.max[axis], moving.max[axis] + room);
    min[axis] = Math.min(moving.min[axis], low);
    max[axis] = Math.max(moving.max[axis], high);
  }
  const center = min.map((low, axis) => (low + max[axis]) / 2) as [number, number, number];
  const radius = Math.max(...max.map((high, axis) => high - min[axis])) / 2;
  return { min, max, center, radius: radius > 0 ? radius : 1 };
}

/** Balls around all that the extent is around, at some times: middle and radius, in metres. */
export function cloudOf(runs: Run[], extent: Extent): { center: [number, number, number]; radius: number }[] {
  const found: { center: [number, number, number]; radius: number }[] = [];
  const clamp = (x: number, axis: number): number => Math.min(extent.max[axis], Math.max(extent.min[axis], x));
  for (const run of runs) {
    const moving = new Set(movingItems(run));
    const items = allItems(run).filter((item) => item.kind !== "plane");
    const rows = Math.max(2, Math.min(60, Math.floor(20000 / Math.max(1, items.length))));
    for (const item of items) {
      for (let k = 0; k < (moving.has(item) ? rows : 1); k++) {
        const row = Math.floor((k * (run.rows - 1)) / (rows - 1));
        const size = reach(run, item, row);
        for (const point of anchors(item)) {
          const place = [0, 1, 2].map((axis) => run.at(point[axis] ?? 0, row));
          if (!place.every(Number.isFinite)) continue;
          // What stands still and is large is seen in part.
          const center = place.map(clamp) as [number, number, number];
          const isInside = place.every((x, axis) => x === center[axis]);
          found.push({ center, radius: isInside && size <= 2 * extent.radius ? size : 0 });
        }
      }
    }
  }
  return found;
}

/** Half of what all that moves takes up at one time, at most. */
export function clusterSize(run: Run): number {
  const items = movingItems(run).filter((item) => item.kind !== "trace" && item.kind !== "text");
  let size = 0;
  for (let row = 0; row < run.rows; row += Math.max(1, Math.floor(run.rows / 100))) {
    const box = new Box();
    for (const item of items) {
      const own = reach(run, item, row);
      for (const point of anchors(item)) for (let axis = 0; axis < 3; axis++) box.add(axis, run.at(point[axis] ?? 0, row), own);
    }
    size = Math.max(size, box.radius);
  }
  return size;
}

/** The size of the bodies themselves: what marks and arrows should be comparable with when the bodies travel far. */
export function bodySize(run: Run, extent: Extent): number {
  const moving = movingItems(run);
  const items = moving.length ? moving : allItems(run).filter((item) => item.kind !== "plane");
  const sizes = items.map((item) => reach(run, item, 0)).filter((size) => size > 0);
  for (const item of items) {
    const points = anchors(item);
    if (points.length < 2) continue;
    const lengths = points.slice(1).map((point, i) => Math.hypot(...[0, 1, 2].map((axis) => run.at(point[axis] ?? 0, 0) - run.at(points[i][axis] ?? 0, 0))));
    sizes.push(...lengths.filter((length) => length > 0).map((length) => length / 2));
  }
  if (sizes.length === 0) return extent.radius / 4;
  return Math.min(extent.radius, Math.max(percentile(sizes.length, (i) => sizes[i], 0.9), extent.radius / 30));
}
