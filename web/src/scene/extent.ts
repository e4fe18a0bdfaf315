// Where the scene is and how large: what the camera, the grid and the arrows are measured by.
import type { Channel, Item, Vector } from "../data/contract";
import { Run, percentile } from "../data/run";

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

export function extentOf(runs: Run[]): Extent {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const run of runs) {
    const items = allItems(run).filter((item) => item.kind !== "plane");
    const lookups = Math.max(1, items.length * 3);
    const stride = Math.max(1, Math.floor((run.rows * lookups) / 400000));
    for (let row = 0; row < run.rows; row += stride) {
      for (const item of items) {
        const size = reach(run, item, row);
        for (const point of anchors(item)) {
          for (let axis = 0; axis < 3; axis++) {
            const x = run.at(point[axis] ?? 0, row);
            if (!Number.isFinite(x)) continue;
            min[axis] = Math.min(min[axis], x - size);
            max[axis] = Math.max(max[axis], x + size);
          }
        }
      }
    }
    for (const contact of run.scene.contacts) {
      if (!contact.point || items.length > 0) continue;
      for (let axis = 0; axis < 3; axis++) {
        min[axis] = Math.min(min[axis], run.at(contact.point[axis] ?? 0, 0));
        max[axis] = Math.max(max[axis], run.at(contact.point[axis] ?? 0, 0));
      }
    }
  }
  for (let axis = 0; axis < 3; axis++) {
    if (!(max[axis] >= min[axis])) {
      min[axis] = -0.5;
      max[axis] = 0.5;
    }
  }
  const center = min.map((low, axis) => (low + max[axis]) / 2) as [number, number, number];
  const radius = Math.max(...max.map((high, axis) => high - min[axis])) / 2;
  return { min, max, center, radius: radius > 0 ? radius : 1 };
}

/** The size of the bodies themselves: what marks and arrows should be comparable with when the bodies travel far. */
export function bodySize(run: Run, extent: Extent): number {
  const sizes = allItems(run).filter((item) => item.kind !== "plane").map((item) => reach(run, item, 0)).filter((size) => size > 0);
  for (const item of allItems(run)) {
    const points = anchors(item);
    if (points.length < 2) continue;
    const lengths = points.slice(1).map((point, i) => Math.hypot(...[0, 1, 2].map((axis) => run.at(point[axis] ?? 0, 0) - run.at(points[i][axis] ?? 0, 0))));
    sizes.push(...lengths.filter((length) => length > 0).map((length) => length / 2));
  }
  if (sizes.length === 0) return extent.radius / 4;
  return Math.min(extent.radius, Math.max(percentile(sizes.length, (i) => sizes[i], 0.9), extent.radius / 30));
}
