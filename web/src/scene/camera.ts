// The two cameras and how they are moved: orbit, pan, zoom, views along the axes, perspective or parallel, following a point.
// The scene is measured in its own extent: one unit is its radius.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type View = "free" | "top" | "front" | "side";

export interface Ball {
  center: THREE.Vector3;
  radius: number;
}

// Room for the tools at the corners and for forces; in space the picture is of one thing, in the plane of all its paths.
const margin = { space: 1.3, plane: 1.16 };

export class CameraRig {
  readonly perspective = new THREE.PerspectiveCamera(36, 1, 0.01, 200);
  readonly parallel = new THREE.OrthographicCamera(-1, 1, 1, -1, -100, 200);
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly controls: OrbitControls;
  /** Something moved that must be drawn. */
  changed = true;
  private aspect = 1;

  constructor(canvas: HTMLElement, private readonly up: THREE.Vector3, private readonly planar: boolean) {
    this.camera = planar ? this.parallel : this.perspective;
    for (const camera of [this.perspective, this.parallel]) camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.enableRotate = !planar;
    this.controls.zoomToCursor = true;
    this.controls.screenSpacePanning = true;
    if (planar) {
      this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("change", () => (this.changed = true));
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.setParallel((this.parallel.top - this.parallel.bottom) / 2);
    this.changed = true;
  }

  private setParallel(halfHeight: number): void {
    this.parallel.top = halfHeight;
    this.parallel.bottom = -halfHeight;
    this.parallel.right = halfHeight * this.aspect;
    this.parallel.left = -halfHeight * this.aspect;
    this.parallel.updateProjectionMatrix();
  }

  // Two directions across the vertical, so that "front" looks along the second.
  private frame(): [THREE.Vector3, THREE.Vector3] {
    const first = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    first.addScaledVector(this.up, -first.dot(this.up)).normalize();
    return [first, new THREE.Vector3().crossVectors(this.up, first)];
  }

  private direction(view: View): THREE.Vector3 {
    const [right, away] = this.frame();
    if (this.planar) return new THREE.Vector3(0, 0, 1);
    switch (view) {
      case "top":
        return this.up.clone().addScaledVector(away, -1e-3).normalize();
      case "front":
        return away.clone().negate();
      case "side":
        return right.clone();
      default:
        return right.clone().multiplyScalar(0.42).addScaledVector(away, -1).addScaledVector(this.up, 0.46).normalize();
    }
  }

  /** All balls of a cloud in the picture, seen from a side; `centred`: about the target, which else goes to their middle. */
  show(view: View, target: THREE.Vector3, cloud: Ball[], centred = false): void {
    const direction = this.direction(view);
    const right = new THREE.Vector3().crossVectors(this.planar ? new THREE.Vector3(0, 1, 0) : this.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const balls = cloud.map(({ center, radius }) => {
      const from = new THREE.Vector3().subVectors(center, target);
      return { x: from.dot(right), y: from.dot(above), z: from.dot(direction), radius };
    });
    const flat = this.fit(balls, Infinity, centred);
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    // Nearer parts are larger: a better distance from the last one, until it stays.
    let seen = { ...flat, distance: flat.half / tangent + Math.max(0, ...balls.map((ball) => ball.z)) };
    for (let k = 0; k < 12; k++) {
      const found = this.fit(balls, seen.distance, centred, seen);
      seen = { ...found, distance: Math.max(found.half / tangent, 0.05) };
    }
    const { x, y, half } = this.isParallel ? flat : seen;
    this.controls.target.copy(target).addScaledVector(right, x).addScaledVector(above, y);
    this.perspective.position.copy(this.controls.target).addScaledVector(direction, seen.distance);
    this.parallel.position.copy(this.controls.target).addScaledVector(direction, 20);
    this.parallel.zoom = 1;
    this.setParallel(half);
    if (this.planar) for (const camera of [this.perspective, this.parallel]) camera.up.set(0, 1, 0);
    this.controls.update();
    this.changed = true;
  }

  // The middle of what is seen from this distance by a camera that looks at (x, y), and half of the picture's height there.
  private fit(balls: { x: number; y: number; z: number; radius: number }[], distance: number, centred: boolean, at = { x: 0, y: 0 }): { x: number; y: number; half: number } {
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const ball of balls) {
      // Its size at the distance of the target.
      const scale = distance < Infinity ? distance / Math.max(distance - ball.z, 0.1 * distance) : 1;
      const [x, y, radius] = [(ball.x - at.x) * scale, (ball.y - at.y) * scale, ball.radius * scale];
      left = Math.min(left, x - radius);
      right = Math.max(right, x + radius);
      low = Math.min(low, y - radius);
      high = Math.max(high, y + radius);
    }
    if (!(right >= left)) return { x: 0, y: 0, half: 1 };
    if (centred) {
      right = Math.max(right, -left);
      high = Math.max(high, -low);
      [left, low] = [-right, -high];
    }
    const half = Math.max((high - low) / 2, (right - left) / 2 / this.aspect, 0.02) * (this.planar ? margin.plane : margin.space);
    return { x: at.x + (left + right) / 2, y: at.y + (low + high) / 2, half };
  }

  get isParallel(): boolean {
    return this.camera === this.parallel;
  }

  /** The other projection from the same place, with the same size of what is at the target. */
  setParallelProjection(on: boolean): void {
    if (on === this.isParallel) return;
    const target = this.controls.target;
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    const direction = this.camera.position.clone().sub(target);
    if (on) {
      this.parallel.zoom = 1;
      this.setParallel(direction.length() * tangent);
      this.parallel.position.copy(target).addScaledVector(direction.normalize(), 20);
      this.camera = this.parallel;
    } else {
      const halfHeight = (this.parallel.top - this.parallel.bottom) / 2 / this.parallel.zoom;
      this.perspective.position.copy(target).addScaledVector(direction.normalize(), halfHeight / tangent);
      this.camera = this.perspective;
    }
    this.controls.object = this.camera;
    this.controls.update();
    this.changed = true;
  }

  /** Around the target by two angles; a picture in the plane is shifted instead. */
  turn(around: number, over: number): void {
    const { target } = this.controls;
    if (this.planar) {
      const step = (2 * (this.parallel.top - this.parallel.bottom)) / this.parallel.zoom / Math.PI;
      return this.shift(new THREE.Vector3(around * step, over * step, 0));
    }
    const offset = this.camera.position.clone().sub(target).applyAxisAngle(this.up, around);
    const right = new THREE.Vector3().crossVectors(this.up, offset).normalize();
    const polar = offset.angleTo(this.up);
    const small = 0.02; // from the vertical, where a camera has no right and left
    offset.applyAxisAngle(right, Math.min(Math.PI - small, Math.max(small, polar - over)) - polar);
    this.camera.position.copy(target).add(offset);
    this.controls.update();
    this.changed = true;
  }

  zoom(factor: number): void {
    const { target } = this.controls;
    this.perspective.position.sub(target).divideScalar(factor).add(target);
    this.parallel.zoom *= factor;
    this.parallel.updateProjectionMatrix();
    this.controls.update();
    this.changed = true;
  }

  /** The camera goes with a point that has moved. */
  shift(by: THREE.Vector3): void {
    if (by.lengthSq() === 0) return;
    this.controls.target.add(by);
    this.perspective.position.add(by);
    this.parallel.position.add(by);
    this.controls.update();
    this.changed = true;
  }

  /** Pixels that one unit of the scene has at the target. */
  pixelsPerUnit(height: number): number {
    if (this.isParallel) return (height * this.parallel.zoom) / (this.parallel.top - this.parallel.bottom);
    const distance = this.perspective.position.distanceTo(this.controls.target);
    return height / (2 * distance * Math.tan((this.perspective.fov * Math.PI) / 360));
  }
}
