// Sets of three dimensions (Coulomb-Contensou's ball B_F and others) as a body of glass that can be turned. Axes of different
// units are scaled each for itself; velocities, which are dual to forces, inversely, so that normals stay normal.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { h } from "../app/dom";
import { color, onTheme } from "../app/theme";
import type { Law } from "../data/contract";
import { percentile, type Run } from "../data/run";
import { stateColor, type ContactState } from "../scene/contact_state";
import { turnTo } from "../scene/places";
import { Boundary, equalByUnit, usualReach } from "./boundary";
import type { ReservoirView } from "./flat";

const trailRows = 24;
const manyTriangles = 600;
const axisReach = 1.5; // of the axes, in the usual reach of the set

interface Shared {
  canvas: HTMLCanvasElement;
  renderer: THREE.WebGLRenderer;
  camera: THREE.OrthographicCamera;
}

// Browsers allow few drawing contexts, and a set is looked at from where the one before it was: one canvas and camera for all.
let kept: Shared | null = null;
function shared(): Shared {
  if (!kept) {
    const canvas = h("canvas", { class: "reservoir-solid", tabindex: 0, "aria-label": "set of admissible forces in three dimensions: drag to turn" });
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    const camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -20, 40);
    camera.up.set(0, 0, 1);
    camera.position.set(3.1, -3.3, 1.8);
    kept = { canvas, renderer, camera };
  }
  return kept;
}

class Glass {
  readonly group = new THREE.Group();
  private readonly geometry = new THREE.BufferGeometry();
  private readonly lines: THREE.LineSegments;
  private readonly faces: THREE.Mesh[];
  private readonly ink: string;

  constructor(readonly boundary: Boundary) {
    this.ink = boundary.role === "slip" ? "--set-slip" : "--set";
    this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(boundary.count * 3), 3));
    this.geometry.setIndex(boundary.triangles.flat());
    // The far side first, then the near one: what is inside is seen through one pane only.
    this.faces = [THREE.BackSide, THREE.FrontSide].map((side, i) => {
      const mesh = new THREE.Mesh(this.geometry, new THREE.MeshLambertMaterial({ transparent: true, opacity: i === 0 ? 0.22 : 0.36, side, depthWrite: false }));
      mesh.renderOrder = i === 0 ? 0 : 3;
      return mesh;
    });
    const edges = new THREE.BufferGeometry();
    edges.setAttribute("position", this.geometry.getAttribute("position"));
    edges.setIndex(outline(boundary.triangles));
    this.lines = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ transparent: true, opacity: boundary.triangles.length > manyTriangles ? 0.035 : 0.09, depthWrite: false }));
    this.lines.renderOrder = 4;
    this.group.add(...this.faces, this.lines);
    this.recolor();
  }

  recolor(): void {
    for (const face of this.faces) (face.material as THREE.MeshLambertMaterial).color.set(color(this.ink));
    (this.lines.material as THREE.LineBasicMaterial).color.set(color(this.ink));
  }

  update(row: number, k: number[]): void {
    const points = this.boundary.at(row);
    const attribute = this.geometry.getAttribute("position") as THREE.BufferAttribute;
    for (let i = 0; i < points.length; i++) attribute.array[i] = points[i] * k[i % 3];
    attribute.needsUpdate = true;
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingSphere();
    this.lines.geometry.boundingSphere = this.geometry.boundingSphere;
  }
}

// Each edge of the mesh once.
function outline(triangles: number[][]): number[] {
  const seen = new Set<number>();
  const found: number[] = [];
  for (const [a, b, c] of triangles) {
    for (const [i, j] of [[a, b], [b, c], [c, a]]) {
      const key = Math.min(i, j) * 1e6 + Math.max(i, j);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(i, j);
    }
  }
  return found;
}

export class SolidReservoir implements ReservoirView {
  readonly element: HTMLElement;
  fit = false;
  private readonly canvas = shared().canvas;
  private readonly labels: HTMLElement[];
  private readonly renderer = shared().renderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = shared().camera;
  private readonly controls: OrbitControls;
  private readonly sets: Glass[];
  private readonly usual: number[];
  private readonly speed: number;
  private readonly point = new THREE.Mesh(new THREE.SphereGeometry(0.055, 20, 14), new THREE.MeshBasicMaterial());
  private readonly shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.018, 0.018, 1, 12).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial());
  private readonly head = new THREE.Mesh(new THREE.ConeGeometry(0.055, 0.16, 18).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial());
  private readonly trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, vertexColors: true }));
  private readonly ray = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 }));
  private readonly axes = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 }));
  private shown: { row: number; state: ContactState } = { row: 0, state: "open" };

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
    const reach = axisReach;
    this.axes.geometry.setAttribute("position", new THREE.Float32BufferAttribute([-reach, 0, 0, reach, 0, 0, 0, -reach, 0, 0, reach, 0, 0, 0, -reach, 0, 0, reach], 3));
    for (const object of [this.point, this.shaft, this.head]) object.renderOrder = 2;
    for (const line of [this.trail, this.ray]) {
      line.frustumCulled = false;
      line.renderOrder = 1;
    }
    this.labels = [0, 1, 2].map((axis) => h("span", { class: "solid-label" }, `−${law.axes?.[axis] ?? `λ${axis + 1}`}`));
    this.element = h("div", { class: "reservoir-drawing" }, this.canvas, ...this.labels);
    this.recolor();
    onTheme(() => {
      if (!this.element.isConnected) return;
      this.recolor();
      this.update(this.shown.row, this.shown.state);
    });
  }

  graphic(): HTMLCanvasElement {
    this.draw();
    return this.canvas;
  }

  private recolor(): void {
    for (const set of this.sets) set.recolor();
    for (const line of [this.axes, this.ray]) (line.material as THREE.LineBasicMaterial).color.set(color("--muted"));
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
    this.shown = { row, state };
    const { run, law } = this;
    const now = equalByUnit(law, [0, 1, 2].map((axis) => Math.max(...this.sets.map((set) => set.boundary.reach(row)[axis]))));
    const reach = this.usual.map((usual, axis) => (this.fit && now[axis] > 0 ? now[axis] : Math.max(usual, now[axis])));
    const k = reach.map((r) => 1 / r);
    for (const set of this.sets) set.update(row, k);
    const force = law.force.map((channel, axis) => -run.at(channel, row) * k[axis]);
    this.point.position.set(force[0], force[1], force[2]);
    const points: number[] = [];
    for (let r = Math.max(0, row - trailRows); r <= row; r++) points.push(...law.force.map((channel, axis) => -run.at(channel, r) * k[axis]));
    this.trail.geometry.dispose();
    // Older forces fade.
    const fading = Array.from({ length: points.length / 3 }, (_, i) => [1, 1, 1, 0.85 * ((i + 1) / (points.length / 3)) ** 2]).flat();
    this.trail.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3)).setAttribute("color", new THREE.Float32BufferAttribute(fading, 4));
    this.ray.geometry.dispose();
    this.ray.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute([0, 0, 0, ...force], 3));
    const shade = new THREE.Color(color(stateColor[state]));
    for (const object of [this.point, this.shaft, this.head]) (object.material as THREE.MeshBasicMaterial).color.copy(shade);
    (this.trail.material as THREE.LineBasicMaterial).color.copy(shade);

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

  private draw(): void {
    this.renderer.render(this.scene, this.camera);
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.labels.forEach((label, axis) => {
      const end = new THREE.Vector3().setComponent(axis, axisReach + 0.16).project(this.camera);
      label.style.transform = `translate(${((end.x + 1) / 2) * width}px, ${((1 - end.y) / 2) * height}px) translate(-50%, -50%)`;
    });
  }

  /** Another set takes the canvas over. */
  dispose(): void {
    this.controls.dispose();
    this.scene.traverse((object) => {
      const mesh = object as THREE.Mesh;
      mesh.geometry?.dispose();
      if (mesh.material) (mesh.material as THREE.Material).dispose();
    });
  }
}
