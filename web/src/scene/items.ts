// The items of one run's scene, as few instanced meshes: thousands of bodies are a handful of draw calls.
import * as THREE from "three";
import type { Channel, Item, Vector } from "../data/contract";
import { Run, moves, type Moment } from "../data/run";
import { color } from "../app/theme";
import { allItems } from "./extent";
import { Balls, manyBalls } from "./balls";
import { polygon, polyhedron, unitGeometry, type Unit } from "./geometry";
import { parsed, surface, type Pattern } from "./materials";
import { placeOf, turnOf, turnTo } from "./places";

type Place = (moment: Moment, matrix: THREE.Matrix4) => void;

interface Part {
  item: Item;
  /** Parts with equal keys share a geometry. */
  key: string;
  geometry: (instances: number) => THREE.BufferGeometry;
  pattern: Pattern;
  moving: boolean;
  place: Place;
}

interface Batch {
  mesh: THREE.InstancedMesh | Balls;
  parts: Part[];
  moving: boolean;
}

const position = new THREE.Vector3();
const other = new THREE.Vector3();
const scale = new THREE.Vector3();
const turn = new THREE.Quaternion();
const local = new THREE.Matrix4();

const solidKinds = new Set(["sphere", "ellipsoid", "box", "cylinder", "capsule", "cone", "disc", "polyhedron", "polygon", "circle"]);
const flatKinds = new Set(["circle", "polygon"]);

/** Two shapes of a body in one place, for two contacts, are seen once. */
function withoutDoubles(items: Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    if (!item.body) return true;
    const { name, doc, ...rest } = item;
    const key = JSON.stringify(rest);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

export class ItemLayer {
  readonly group = new THREE.Group();
  private readonly batches: Batch[] = [];
  private placed = false;

  /** `tint`: every item in this colour, for ghosts. `thickness`: radius of lines, in metres. */
  constructor(private readonly run: Run, private readonly thickness: number, opacity = 1, private readonly tint?: () => string) {
    const parts = withoutDoubles(allItems(run)).flatMap((item) => this.partsOf(item));
    const byKey = new Map<string, Part[]>();
    for (const part of parts) {
      const key = `${part.key} ${part.moving ? "moving" : "fixed"}`;
      const list = byKey.get(key);
      if (list) list.push(part);
      else byKey.set(key, [part]);
    }
    for (const list of byKey.values()) {
      const mesh = list.length > manyBalls && list.every((part) => part.item.kind === "sphere") ? new Balls(list.length, opacity) : ItemLayer.meshOf(list, opacity);
      this.batches.push({ mesh, parts: list, moving: list[0].moving });
      this.group.add(mesh);
    }
    this.recolor();
  }

  private static meshOf(list: Part[], opacity: number): THREE.InstancedMesh {
    const material = surface(list[0].pattern, opacity);
    if (flatKinds.has(list[0].item.kind)) material.side = THREE.DoubleSide;
    const mesh = new THREE.InstancedMesh(list[0].geometry(list.length), material, list.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false; // its bounds change with every frame
    mesh.castShadow = opacity >= 1;
    mesh.receiveShadow = opacity >= 1 && list.length < 300;
    return mesh;
  }

  /** The bodies (or free items) whose names the reader knows, with a point of each. */
  static points(run: Run): Map<string, Vector> {
    const points = new Map<string, Vector>();
    for (const item of run.scene.items) {
      const name = item.body ?? item.name;
      if (item.position && moves(item.position) && item.kind !== "trace" && item.kind !== "text" && !points.has(name)) points.set(name, item.position);
    }
    return points;
  }

  static palette(run: Run): Map<string, number> {
    const palette = new Map<string, number>();
    for (const item of run.scene.items) {
      const name = item.body ?? (moves(item.position ?? null) ? item.name : null);
      if (name && !palette.has(name)) palette.set(name, palette.size);
    }
    return palette;
  }

  recolor(): void {
    const palette = ItemLayer.palette(this.run);
    const tint = this.tint ? new THREE.Color(this.tint()) : null;
    const cache = new Map<string, THREE.Color>();
    const known = (name: string): THREE.Color => {
      let found = cache.get(name);
      if (!found) cache.set(name, (found = new THREE.Color(color(name))));
      return found;
    };
    const order = new Map<Item, number>();
    const counts = new Map<string, number>();
    for (const item of withoutDoubles(this.run.scene.items)) {
      if (!item.body || !solidKinds.has(item.kind)) continue;
      order.set(item, counts.get(item.body) ?? 0);
      counts.set(item.body, (counts.get(item.body) ?? 0) + 1);
    }
    const arrays = palette.size > 12; // many bodies: an array, in one family of colours
    for (const batch of this.batches) {
      batch.parts.forEach((part, i) => {
        const item = part.item;
        const index = palette.get(item.body ?? item.name);
        let shade = tint ?? parsed(item.color);
        if (!shade) {
          if (["line", "polyline", "arrow", "spring"].includes(item.kind)) shade = known("--closed");
          else if (index === undefined) shade = known("--body-fixed");
          else shade = known(`--body-${arrays ? [1, 6, 3][index % 3] : (index % 6) + 1}`);
        }
        // Parts of one body differ a little, so that its shape is seen.
        const nth = tint || parsed(item.color) ? 0 : (order.get(item) ?? 0);
        batch.mesh.setColorAt(i, nth % 2 === 0 ? shade : shade.clone().lerp(known("--body-part"), 0.85));
      });
      if (batch.mesh instanceof THREE.InstancedMesh && batch.mesh.instanceColor) batch.mesh.instanceColor.needsUpdate = true;
    }
  }

  update(moment: Moment): void {
    for (const batch of this.batches) {
      if (this.placed && !batch.moving) continue;
      const { mesh, parts } = batch;
      if (mesh instanceof Balls) {
        parts.forEach(({ item }, i) => mesh.setBall(i, placeOf(this.run, item.position ?? [0, 0, 0], moment, position), turnOf(this.run, item.orientation, moment, turn), this.run.between(item.radius ?? 0, moment)));
        continue;
      }
      parts.forEach((part, i) => {
        part.place(moment, local);
        local.toArray(mesh.instanceMatrix.array, i * 16);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.placed = true;
  }

  /** A box around all that casts shadows, in metres. */
  box(): THREE.Box3 {
    const box = new THREE.Box3();
    for (const { mesh } of this.batches) {
      if (mesh instanceof Balls || !mesh.castShadow) continue;
      const { geometry } = mesh;
      if (!geometry.boundingSphere) geometry.computeBoundingSphere();
      const sphere = geometry.boundingSphere as THREE.Sphere;
      const reach = sphere.center.length() + sphere.radius;
      for (let i = 0; i < mesh.count; i++) {
        mesh.getMatrixAt(i, local);
        position.setFromMatrixPosition(local);
        box.expandByPoint(other.copy(position).addScalar(reach * local.getMaxScaleOnAxis()));
        box.expandByPoint(other.copy(position).addScalar(-reach * local.getMaxScaleOnAxis()));
      }
    }
    return box;
  }

  /** The item under a ray, and how far away it is. */
  pick(raycaster: THREE.Raycaster): { item: Item; distance: number } | null {
    let best: { item: Item; distance: number } | null = null;
    for (const batch of this.batches) {
      if (batch.mesh instanceof THREE.InstancedMesh) batch.mesh.boundingSphere = null;
      for (const hit of raycaster.intersectObject(batch.mesh, false)) {
        if (hit.instanceId !== undefined && (!best || hit.distance < best.distance)) best = { item: batch.parts[hit.instanceId].item, distance: hit.distance };
      }
    }
    return best;
  }

  dispose(): void {
    for (const batch of this.batches) {
      batch.mesh.geometry.dispose();
      (batch.mesh.material as THREE.Material).dispose();
      if (batch.mesh instanceof THREE.InstancedMesh) batch.mesh.dispose();
    }
  }

  private partsOf(item: Item): Part[] {
    const run = this.run;
    const value = (channel: Channel | undefined, moment: Moment, fallback = 0): number => (channel === undefined ? fallback : run.between(channel, moment));
    // A part of a body: `size` gives the edges of the unit shape, `shift` where it is along the item's own z.
    const solid = (unit: Unit, pattern: Pattern, channels: (Channel | undefined)[], size: (moment: Moment) => [number, number, number],
      shift?: (moment: Moment) => number, key = `${unit} ${pattern}`): Part => ({
      item, key, pattern,
      geometry: (instances) => unitGeometry(unit, instances),
      moving: moves(item.position ?? null) || moves(item.orientation ?? null) || channels.some((channel) => channel !== undefined && moves(channel)),
      place: (moment, matrix) => {
        placeOf(run, item.position ?? [0, 0, 0], moment, position);
        turnOf(run, item.orientation, moment, turn);
        if (shift) position.add(other.set(0, 0, shift(moment)).applyQuaternion(turn));
        matrix.compose(position, turn, scale.set(...size(moment)));
      },
    });
    const r = (moment: Moment): number => value(item.radius, moment);
    const l = (moment: Moment): number => value(item.length, moment);
    switch (item.kind) {
      case "sphere":
        return [solid("sphere", "octants", [item.radius], (m) => [r(m), r(m), r(m)], undefined, "ball")];
      case "ellipsoid": {
        const radii = item.radii ?? [1, 1, 1];
        return [solid("sphere", "octants", radii, (m) => [value(radii[0], m), value(radii[1], m), value(radii[2], m)])];
      }
      case "box": {
        const size = item.size ?? [1, 1, 1];
        return [solid("box", "none", size, (m) => [value(size[0], m), value(size[1], m), value(size[2], m, this.thickness * 2) || this.thickness * 2])];
      }
      case "cylinder":
        return [solid("cylinder", "quarters", [item.radius, item.length], (m) => [r(m), r(m), l(m)])];
      case "cone":
        return [solid("cone", "quarters", [item.radius, item.length], (m) => [r(m), r(m), l(m)])];
      case "disc":
        return [solid("cylinder", "quarters", [item.radius, item.thickness], (m) => [r(m), r(m), value(item.thickness, m) || r(m) * 0.04])];
      case "capsule":
        return [
          solid("cylinder", "none", [item.radius, item.length], (m) => [r(m), r(m), l(m)]),
          solid("sphere", "none", [item.radius, item.length], (m) => [r(m), r(m), r(m)], (m) => l(m) / 2),
          solid("sphere", "none", [item.radius, item.length], (m) => [r(m), r(m), r(m)], (m) => -l(m) / 2),
        ];
      case "circle":
        return [solid("circle", "quarters", [item.radius], (m) => [r(m), r(m), 1])];
      case "polygon":
      case "polyhedron":
        return this.pointed(item);
      case "line":
      case "polyline":
        return this.rods(item, item.points ?? [], this.thickness);
      case "arrow":
        return item.from && item.to ? this.arrow(item, item.from, item.to) : [];
      case "spring":
        return item.points && item.points.length >= 2 ? [this.stretched(item, "spring", "none", item.points[0], item.points[1], this.thickness * 4, 0)] : [];
      default:
        return []; // plane, text and trace are drawn elsewhere
    }
  }

  private pointed(item: Item): Part[] {
    const points = (item.points ?? []).map((point) => point.map((channel) => this.run.at(channel, 0)));
    if (points.length < 3) return [];
    return [{
      item, key: `${item.kind} ${JSON.stringify(points)}`, pattern: "none",
      geometry: () => (item.kind === "polygon" ? polygon(points) : polyhedron(points)),
      moving: moves(item.position ?? null) || moves(item.orientation ?? null),
      place: (moment, matrix) => {
        placeOf(this.run, item.position ?? [0, 0, 0], moment, position);
        matrix.compose(position, turnOf(this.run, item.orientation, moment, turn), scale.set(1, 1, 1));
      },
    }];
  }

  // A unit shape from one point to another. Cylinders and cones are centred at 0, springs begin there (`centre` 1/2 or 0).
  private stretched(item: Item, unit: Unit, pattern: Pattern, from: Vector, to: Vector, radius: number, centre: number): Part {
    return {
      item, key: `${unit} ${pattern}`, pattern,
      geometry: (instances) => unitGeometry(unit, instances),
      moving: moves(from) || moves(to),
      place: (moment, matrix) => {
        placeOf(this.run, from, moment, position);
        placeOf(this.run, to, moment, other).sub(position);
        const length = other.length();
        turnTo(length > 0 ? other.divideScalar(length) : other.set(0, 0, 1), turn);
        position.addScaledVector(other, length * centre);
        matrix.compose(position, turn, scale.set(radius, radius, Math.max(length, 1e-12)));
      },
    };
  }

  private rods(item: Item, points: Vector[], radius: number): Part[] {
    const parts: Part[] = [];
    for (let i = 0; i + 1 < points.length; i++) parts.push(this.stretched(item, "cylinder", "none", points[i], points[i + 1], radius, 0.5));
    for (const point of points) {
      parts.push({
        item, key: "sphere none", pattern: "none", geometry: (instances) => unitGeometry("sphere", Math.max(instances, 200)), moving: moves(point),
        place: (moment, matrix) => matrix.compose(placeOf(this.run, point, moment, position), turn.identity(), scale.setScalar(radius)),
      });
    }
    return parts;
  }

  private arrow(item: Item, from: Vector, to: Vector): Part[] {
    const shaft = this.stretched(item, "cylinder", "none", from, to, this.thickness * 0.8, 0.5);
    const head: Part = {
      item, key: "cone none", pattern: "none", geometry: (instances) => unitGeometry("cone", instances), moving: shaft.moving,
      place: (moment, matrix) => {
        placeOf(this.run, from, moment, position);
        placeOf(this.run, to, moment, other).sub(position);
        const length = other.length();
        turnTo(length > 0 ? other.divideScalar(length) : other.set(0, 0, 1), turn);
        const size = Math.min(length, this.thickness * 7);
        position.addScaledVector(other, length - size / 2);
        matrix.compose(position, turn, scale.set(size * 0.38, size * 0.38, Math.max(size, 1e-12)));
      },
    };
    return [shaft, head];
  }
}
