// Sets of three dimensions (Coulomb-Contensou's ball B_F and others) as a body that can be turned. Axes of different
// units are scaled each for itself; velocities, which are dual to forces, inversely, so that normals stay normal.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { h } from "../app/dom";
import { color, onTheme } from "../app/theme";
import type { Law } from "../data/contract";
import { quantity, roundBelow, unitText } from "../data/numbers";
import { percentile, type Run } from "../data/run";
import { stateColor, type ContactState } from "../scene/contact_state";
import { turnTo } from "../scene/places";
import { Sharpness } from "../scene/sharpness";
import { Boundary, equalByUnit, usualReach } from "./boundary";
import type { ReservoirView } from "./flat";
import { Glass } from "./glass";
import { solidDrawing, type SolidPicture } from "./solid_drawing";

const trailRows = 24;
const axisReach = 1.5; // of the axes, in the usual reach of the set

interface Shared {
  canvas: HTMLCanvasElement;
  renderer: THREE.WebGLRenderer;
  camera: THREE.OrthographicCamera;
  sharpness: Sharpness;
}

// Browsers allow few drawing contexts, and a set is looked at from where the one before it was: one canvas and camera for all.
let kept: Shared | null = null;
function shared(): Shared {
  if (!kept) {
    const canvas = h("canvas", { class: "reservoir-solid", tabindex: 0, "aria-label": "set of admissible forces in three dimensions: drag to turn" });
    const sharpness = new Sharpness();
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: sharpness.smoothed, alpha: true, preserveDrawingBuffer: true });
    renderer.setPixelRatio(sharpness.screen);
    const camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -20, 40);
    camera.up.set(0, 0, 1);
    camera.position.set(3.1, -3.3, 1.8);
    kept = { canvas, renderer, camera, sharpness };
  }
  return kept;
}

export class SolidReservoir implements ReservoirView {
  readonly element: HTMLElement;
  fit = false;
  private readonly canvas = shared().canvas;
  private readonly labels: HTMLElement[]; // of the axes
  private readonly marks = [0, 1, 2].map(() => h("span", { class: "solid-label tick" })); // one value on each axis
  private readonly renderer = shared().renderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = shared().camera;
  private readonly sharpness = shared().sharpness;
  private readonly controls: OrbitControls;
  private readonly sets: Glass[];
  private readonly usual: number[];
  private readonly speed: number;
  private readonly point = new THREE.Mesh(new THREE.SphereGeometry(0.055, 20, 14), new THREE.MeshBasicMaterial());
  private readonly shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.018, 0.018, 1, 12).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial());
  private readonly head = new THREE.Mesh(new THREE.ConeGeometry(0.055, 0.16, 18).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial());
  private readonly trail = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 1.3, transparent: true, opacity: 0.9, vertexColors: true }));
  private readonly ray = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 }));
  private readonly axes = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ linewidth: 1.2, transparent: true, opacity: 0.6 }));
  private trailPoints: number[][] = [];
  private shown: { row: number; state: ContactState; fit: boolean } | null = null;
  private segments: number[][][] = []; // axes and their ticks
  private steps = [0, 0, 0]; // from the origin to the ticks, in units of the forces
  private scale = [1, 1, 1]; // from forces to the picture
  private rest = 0;

  constructor(private readonly run: Run, private readonly law: Law) {
    const boundaries = law.sets.map((set) => new Boundary(run, set, 3));
    this.sets = boundaries.map((boundary) => new Glass(boundary));
    this.usual = usualReach(run, law, boundaries);
    const velocity = law.velocity;
    // The speed in the measure of the picture: components times the scale of their force.
    this.speed = velocity?.length === 3 ? percentile(run.rows, (row) => Math.hypot(...velocity.map((v, i) => run.at(v, row) * this.usual[i])), 0.9) : 0;
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enablePan = false;
    this.controls.enableDamping = false;
    this.controls.minZoom = 0.4;
    this.controls.maxZoom = 8;
    this.controls.addEventListener("change", () => this.draw());
    const light = new THREE.DirectionalLight(0xffffff, 3.2);
    light.position.set(-0.5, -3, 4);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a93a0, 1.5), light, ...this.sets.map((set) => set.group), this.point, this.shaft, this.head, this.trail, this.ray, this.axes);
    this.axes.frustumCulled = false;
    this.ray.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    for (const object of [this.point, this.shaft, this.head]) object.renderOrder = 2;
    for (const line of [this.trail, this.ray]) {
      line.frustumCulled = false;
      line.renderOrder = 1;
    }
    this.labels = [0, 1, 2].map((axis) => h("span", { class: "solid-label" }, `−${law.axes?.[axis] ?? `λ${axis + 1}`}`));
    this.element = h("div", { class: "reservoir-drawing" }, this.canvas, ...this.labels, ...this.marks);
    this.recolor();
    onTheme(() => {
      if (!this.element.isConnected) return;
      this.recolor();
      const { shown } = this;
      this.shown = null;
      if (shown) this.update(shown.row, shown.state);
    });
  }

  graphic(): string {
    const at = (x: number, y: number, z: number): [number, number, number] => {
      const p = new THREE.Vector3(x, y, z).project(this.camera);
      return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight, p.z];
    };
    const picture: SolidPicture = {
      width: this.canvas.clientWidth, height: this.canvas.clientHeight,
      bodies: this.sets.map((set) => ({ role: set.boundary.role, triangles: set.boundary.triangles, corners: Array.from({ length: set.corners.length / 3 }, (_, i) => at(set.corners[3 * i], set.corners[3 * i + 1], set.corners[3 * i + 2])) })),
      segments: this.segments.map((segment) => segment.map(([x, y, z]) => at(x, y, z))),
      labels: [...this.labels.map((element) => ({ element, axis: true })), ...this.marks.filter((mark) => !mark.hidden).map((element) => ({ element, axis: false }))].map(({ element, axis }) => ({
        text: element.textContent ?? "", axis, at: (element.dataset.at ?? "0 0").split(" ").map(Number) as [number, number],
      })),
      trail: this.trailPoints.map(([x, y, z]) => at(x, y, z)),
      force: at(this.point.position.x, this.point.position.y, this.point.position.z),
      velocity: this.shaft.visible ? at(this.head.position.x, this.head.position.y, this.head.position.z) : null,
      ink: color(stateColor[this.shown?.state ?? "open"]),
    };
    return new XMLSerializer().serializeToString(solidDrawing(picture));
  }

  private recolor(): void {
    for (const set of this.sets) set.recolor();
    for (const { material } of [this.axes, this.ray]) material.color.set(color("--muted"));
  }

  resize(): void {
    const box = this.element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    this.renderer.setSize(box.width, box.height, false);
    const half = 1.6;
    const aspect = box.width / box.height;
    this.camera.top = aspect > 1 ? half : half / aspect;
    this.camera.bottom = -this.camera.top;
    this.camera.right = this.camera.top * aspect;
    this.camera.left = -this.camera.right;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  update(row: number, state: ContactState): void {
    const { run, law } = this;
    if (this.shown && this.shown.row === row && this.shown.state === state && this.shown.fit === this.fit) return;
    this.shown = { row, state, fit: this.fit };
    const now = equalByUnit(law, [0, 1, 2].map((axis) => Math.max(...this.sets.map((set) => set.boundary.reach(row)[axis]))));
    const reach = this.usual.map((usual, axis) => (this.fit && now[axis] > 0 ? now[axis] : Math.max(usual, now[axis])));
    const k = (this.scale = reach.map((r) => 1 / r));
    for (const set of this.sets) set.update(row, k);
    const forceAt = (r: number): number[] => law.force.map((channel, axis) => -run.at(channel, r) * k[axis]);
    const force = forceAt(row);
    this.point.position.set(force[0], force[1], force[2]);
    const ray = this.ray.geometry.getAttribute("position") as THREE.BufferAttribute;
    ray.set(force, 3).needsUpdate = true;
    this.placeTicks(reach);
    const shade = new THREE.Color(color(stateColor[state]));
    for (const object of [this.point, this.shaft, this.head]) (object.material as THREE.MeshBasicMaterial).color.copy(shade);
    this.placeTrail(row, forceAt, shade);

    const velocity = law.velocity?.length === 3 ? new THREE.Vector3(...(law.velocity.map((v, axis) => run.at(v, row) / k[axis]) as [number, number, number])) : null;
    const size = velocity && this.speed > 0 ? velocity.length() / this.speed : 0;
    this.shaft.visible = this.head.visible = size > 1e-3 && state !== "open" && state !== "stick";
    if (velocity && this.shaft.visible) {
      const direction = velocity.normalize();
      const length = 0.18 + 0.5 * Math.min(1.3, size);
      turnTo(direction, this.shaft.quaternion);
      this.head.quaternion.copy(this.shaft.quaternion);
      this.shaft.scale.set(1, 1, length - 0.1);
      this.shaft.position.copy(this.point.position).addScaledVector(direction, (length - 0.1) / 2);
      this.head.position.copy(this.point.position).addScaledVector(direction, length - 0.08);
    }
    this.draw();
  }

  // Where the force was in the rows before; older ones fade into the background.
  private placeTrail(row: number, forceAt: (row: number) => number[], shade: THREE.Color): void {
    const first = Math.max(0, row - trailRows);
    this.trailPoints = Array.from({ length: row - first + 1 }, (_, i) => forceAt(first + i));
    this.trail.visible = row > first;
    if (!this.trail.visible) return;
    const paper = new THREE.Color(color("--panel"));
    // A new geometry: the number of points may be another.
    this.trail.geometry.dispose();
    this.trail.geometry = new LineGeometry();
    this.trail.geometry.setPositions(this.trailPoints.flat());
    this.trail.geometry.setColors(this.trailPoints.flatMap((_, i) => paper.clone().lerp(shade, 0.15 + 0.85 * ((first + i - row + trailRows + 1) / (trailRows + 1)) ** 2).toArray()));
  }

  // Axes through the origin, with a tick at the same round value on both sides; it is written at the positive one.
  private placeTicks(reach: number[]): void {
    const steps = reach.map((r) => roundBelow(axisReach * 0.98 * r));
    const places = steps.map((step, axis) => step * this.scale[axis]);
    const half = 0.05;
    this.segments = [0, 1, 2].flatMap((axis) => {
      const along = (value: number, aside = 0): number[] => [0, 1, 2].map((k) => (k === axis ? value : k === (axis + 1) % 3 ? aside : 0));
      return [[along(-axisReach), along(axisReach)], ...[-1, 1].map((sign) => [along(sign * places[axis], -half), along(sign * places[axis], half)])];
    });
    this.axes.geometry.setPositions(this.segments.flat(2));
    if (steps.every((step, axis) => step === this.steps[axis])) return;
    this.steps = steps;
    this.marks.forEach((mark, axis) => (mark.textContent = quantity(steps[axis], unitText(this.law.units?.[axis]), 3)));
  }

  // Something has moved, or, after a while, nothing more did.
  private draw(moved = true): void {
    const ratio = this.sharpness.next(moved);
    clearTimeout(this.rest);
    if (!this.sharpness.isFine) this.rest = window.setTimeout(() => this.draw(false), this.sharpness.wait + 10);
    if (ratio === null) return;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    for (const set of this.sets) set.detailed = this.sharpness.isFine;
    this.renderer.render(this.scene, this.camera);
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const screen = (axis: number, value: number): number[] => {
      const at = new THREE.Vector3().setComponent(axis, value).project(this.camera);
      return [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
    };
    const put = (label: HTMLElement, [x, y]: number[]): void => {
      const at = `${x.toFixed(1)} ${y.toFixed(1)}`;
      if (label.dataset.at === at) return;
      label.dataset.at = at;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    };
    this.labels.forEach((label, axis) => put(label, screen(axis, axisReach + 0.16)));
    this.marks.forEach((mark, axis) => {
      // Beside its axis, on the lower or right side; not where the axis points at the reader.
      const [x, y] = screen(axis, this.steps[axis] * this.scale[axis]);
      const [x0, y0] = screen(axis, 0);
      const length = Math.hypot(x - x0, y - y0);
      mark.hidden = length < 30;
      if (mark.hidden) return;
      const [dx, dy] = [(x - x0) / length, (y - y0) / length];
      const side = Math.abs(dx) > Math.abs(dy) ? Math.sign(dx) : -Math.sign(dy);
      const away = 11 + 17 * Math.abs(dy);
      put(mark, [x - dy * side * away, y + dx * side * away]);
    });
  }

  get isFine(): boolean {
    return this.sharpness.isFine;
  }

  /** Another set takes the canvas over. */
  dispose(): void {
    this.controls.dispose();
    clearTimeout(this.rest);
    this.scene.traverse((object) => {
      const mesh = object as THREE.Mesh;
      mesh.geometry?.dispose();
      if (mesh.material) (mesh.material as THREE.Material).dispose();
    });
  }
}
