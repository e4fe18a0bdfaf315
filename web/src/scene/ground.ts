// The ground: planes of the model as a grid that fades away, or a faint grid below the scene where the model has none. In planar
// models a plane is seen from its edge: a line with the hatching of textbooks.
import * as THREE from "three";
import { color } from "../app/theme";
import type { Item } from "../data/contract";
import { Run, type Moment } from "../data/run";
import { roundBelow } from "../data/numbers";
import type { Extent } from "./extent";
import { Grid } from "./grid";
import { placeOf, turnOf, turnTo } from "./places";

export interface Ground {
  group: THREE.Group;
  cell: number;
  update: (run: Run, moment: Moment) => void;
  recolor: () => void;
  /** Shadows of what is in this box, in metres; null: none. */
  setShadows: (of: THREE.Box3 | null, light: THREE.Vector3) => void;
}

// Below the line of a plane in a planar model: strokes that lean to the left, as in a textbook.
function hatching(extent: Extent, gap: number): THREE.BufferGeometry {
  const reach = extent.radius * 12;
  const points: number[] = [-reach, 0, 0, reach, 0, 0];
  const count = Math.min(2000, Math.floor((2 * reach) / gap));
  for (let i = 0; i <= count; i++) {
    const x = -reach + (2 * reach * i) / count;
    points.push(x, 0, 0, x - gap * 0.8, -gap * 0.8, 0);
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

// Where shadows fall on a floor: a rectangle no larger than what casts them asks for, since each of its pixels looks at the light.
class ShadowPatch {
  readonly mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.2, depthWrite: false }));
  private readonly corner = new THREE.Vector3();
  private readonly ray = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();

  constructor(private readonly floor: THREE.Object3D, private readonly most: number) {
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
    this.mesh.raycast = () => undefined;
    floor.add(this.mesh);
  }

  /** The corners of the box go along the light, which comes from `light`, until they meet the plane. */
  fit(box: THREE.Box3 | null, light: THREE.Vector3): void {
    this.mesh.visible = box !== null && !box.isEmpty();
    if (!box || !this.mesh.visible) return;
    this.turn.copy(this.floor.quaternion).invert();
    this.ray.copy(light).applyQuaternion(this.turn).normalize();
    const most = this.most;
    const [low, high] = [new THREE.Vector2(most, most), new THREE.Vector2(-most, -most)];
    for (let i = 0; i < 8; i++) {
      this.corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(this.floor.position).applyQuaternion(this.turn);
      // Where the light grazes the plane, shadows are as long as the ground.
      const far = Math.abs(this.ray.z) > 1e-3 ? this.corner.z / this.ray.z : 0;
      for (const way of Math.abs(this.ray.z) > 1e-3 ? [far] : [-most, most]) {
        const at = new THREE.Vector2(this.corner.x - this.ray.x * way, this.corner.y - this.ray.y * way);
        low.min(at);
        high.max(at);
      }
    }
    low.clampScalar(-most, most);
    high.clampScalar(-most, most);
    this.mesh.position.set((low.x + high.x) / 2, (low.y + high.y) / 2, 0);
    this.mesh.scale.set(Math.max(high.x - low.x, 1e-9), Math.max(high.y - low.y, 1e-9), 1);
  }
}

export function makeGround(run: Run, extent: Extent, planar: boolean, up: THREE.Vector3): Ground {
  const group = new THREE.Group();
  const cell = roundBelow(extent.radius / 4);
  const planes = run.scene.items.filter((item) => item.kind === "plane");
  const placed: { item: Item; object: THREE.Object3D; grid?: Grid }[] = [];
  const grids: Grid[] = [];
  const strokes: THREE.LineBasicMaterial[] = [];
  const patches: ShadowPatch[] = [];
  const reach = extent.radius * 9;
  const centre = new THREE.Vector3(...extent.center);
  const grid = (...of: ConstructorParameters<typeof Grid>): Grid => {
    const made = new Grid(...of);
    grids.push(made);
    return made;
  };
  const floor = (filled: boolean, strength: number): { object: THREE.Group; grid: Grid } => {
    const made = grid(reach, cell, filled, strength);
    patches.push(new ShadowPatch(made.group, reach));
    group.add(made.group);
    return { object: made.group, grid: made };
  };

  if (planar) {
    // A sheet of squared paper behind everything.
    const paper = grid(reach * 2, cell, false, 0.5);
    paper.group.position.z = -extent.radius * 1.5;
    paper.centreAt(centre.x, centre.y);
    group.add(paper.group);
    for (const item of planes) {
      const material = new THREE.LineBasicMaterial();
      strokes.push(material);
      const object = new THREE.LineSegments(hatching(extent, extent.radius / 14), material);
      group.add(object);
      placed.push({ item, object });
    }
  } else if (planes.length > 0) {
    for (const item of planes) placed.push({ item, ...floor(true, 0.32) });
  } else {
    const { object, grid: made } = floor(false, 0.4);
    const low = new THREE.Vector3(...extent.min);
    const high = new THREE.Vector3(...extent.max);
    // The corner of the box of the scene that is lowest.
    const height = (["x", "y", "z"] as const).reduce((sum, axis) => sum + (up[axis] > 0 ? low[axis] : high[axis]) * up[axis], 0);
    object.position.copy(up).multiplyScalar(height);
    turnTo(up, object.quaternion);
    const foot = centre.clone().sub(object.position).applyQuaternion(object.quaternion.clone().invert());
    made.centreAt(foot.x, foot.y);
  }

  const turn = new THREE.Quaternion();
  const point = new THREE.Vector3();
  const normal = new THREE.Vector3();
  const recolor = (): void => {
    for (const one of grids) one.recolor();
    for (const material of strokes) material.color.set(color("--muted"));
  };
  recolor();
  return {
    group, cell, recolor,
    setShadows: (of, light) => {
      for (const patch of patches) patch.fit(of, light);
    },
    update: (current, moment) => {
      for (const { item, object, grid: own } of placed) {
        placeOf(current, item.position ?? [0, 0, 0], moment, point);
        turnOf(current, item.orientation, moment, turn);
        normal.set(0, 0, 1).applyQuaternion(turn);
        if (planar) {
          // The plane's normal lies in the picture; its line is drawn about the foot of the scene's centre.
          const distance = centre.clone().sub(point).dot(normal);
          object.position.copy(centre).addScaledVector(normal, -distance).setZ(0);
          object.rotation.set(0, 0, Math.atan2(normal.y, normal.x) - Math.PI / 2);
        } else {
          object.position.copy(point);
          object.quaternion.copy(turn);
          const foot = centre.clone().sub(point).applyQuaternion(turn.clone().invert());
          own?.centreAt(foot.x, foot.y);
        }
      }
    },
  };
}
