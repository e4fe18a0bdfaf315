// The stage: renderer, light, ground and the layers of all runs. It draws when something changed and no more.
import * as THREE from "three";
import { color, curveColor, isDark, onTheme } from "../app/theme";
import type { Item, ModelData } from "../data/contract";
import type { Run } from "../data/run";
import { CameraRig, type View } from "./camera";
import type { ContactState } from "./contact_state";
import { bodySize, cloudOf, clusterSize, extentOf, type Extent } from "./extent";
import { ForceLayer } from "./forces";
import { makeGround, type Ground } from "./ground";
import { ItemLayer } from "./items";
import { Labels } from "./labels";
import { placeOf } from "./places";
import { Sharpness } from "./sharpness";
import { Trace } from "./traces";

interface Layers {
  items: ItemLayer;
  ghost: ItemLayer | null;
  forces: ForceLayer;
  labels: Labels;
  traces: Map<string, Trace>;
  group: THREE.Group;
}

const mostPixels = 4096; // along an edge of a picture while it is drawn
const late = 36; // milliseconds: a frame that takes longer is not smooth, one that takes much longer counts more

export interface Shown {
  forces: boolean;
  traces: boolean;
  ghosts: boolean;
  shadows: boolean;
  ground: boolean;
}

function disposeOf(object: THREE.Object3D): void {
  object.traverse((part) => {
    const { geometry, material } = part as Partial<THREE.Mesh>;
    geometry?.dispose();
    for (const one of [material ?? []].flat()) one.dispose();
  });
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly rig: CameraRig;
  readonly extent: Extent;
  readonly shown: Shown = { forces: true, traces: true, ghosts: true, shadows: true, ground: true };
  /** Traces of bodies that the reader wants, beside those of the model. */
  readonly traced = new Set<string>();
  followed: string | null = null;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly root = new THREE.Group();
  private readonly light = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1.5);
  private readonly ground: Ground;
  private layers: Layers[] = [];
  private readonly retired: THREE.Group[] = [];
  private readonly unit: number;
  private readonly up: THREE.Vector3;
  private readonly size: number;
  private readonly seen: number;
  private active = 0;
  private t = 0;
  private dirty = true;
  private readonly lastFollowed = new THREE.Vector3();
  private readonly sharpness = new Sharpness();
  private slow = 0;
  private late = false; // frames came too late with shadows: they are for pictures that stand
  private frames = 0;

  constructor(private readonly runs: Run[], model: ModelData, readonly planar: boolean) {
    this.extent = extentOf(runs);
    this.unit = 1 / this.extent.radius;
    const count = Math.max(0, ...runs.map((run) => run.scene.items.length));
    const gravity = new THREE.Vector3(...((model.gravity ?? [0, 0, 0]) as [number, number, number]));
    this.up = planar ? new THREE.Vector3(0, 1, 0) : gravity.length() > 0 ? gravity.clone().normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.canvas = document.createElement("canvas");
    this.canvas.className = "stage-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "the scene: drag to turn, wheel to zoom, right button to shift");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: this.sharpness.smoothed && count <= 400, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(this.sharpness.screen);
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.shown.shadows = !planar && count <= 400;
    this.rig = new CameraRig(this.canvas, this.up, planar);

    const center = new THREE.Vector3(...this.extent.center);
    this.root.scale.setScalar(this.unit);
    this.root.position.copy(center).multiplyScalar(-this.unit);
    this.scene.add(this.root, this.sky, this.light, this.light.target);
    this.placeLight();
    this.ground = makeGround(runs[0], this.extent, planar, this.up);
    this.root.add(this.ground.group);

    this.size = bodySize(runs[0], this.extent);
    this.seen = this.firstReach();
    this.setRuns();
    this.sky.position.copy(this.up);
    this.recolor();
    onTheme(() => this.recolor());
    this.look("free");
  }

  /** The layers of the runs as they are now; camera, ground and light stay. */
  setRuns(): void {
    for (const layers of this.layers) this.root.remove(layers.group);
    this.retired.push(...this.layers.map((layers) => layers.group));
    const { runs, size } = this;
    this.layers = runs.map((run, index) => {
      const thickness = this.seen * 0.011;
      const layers: Layers = {
        items: new ItemLayer(run, thickness),
        ghost: runs.length > 1 ? new ItemLayer(run, thickness, 0.26, () => curveColor(index)) : null,
        forces: new ForceLayer(run, Math.min(this.seen * 0.65, Math.max(size * 1.4, this.seen * 0.16))),
        labels: new Labels(run, Math.min(size, this.extent.radius * 0.2)),
        traces: new Map(),
        group: new THREE.Group(),
      };
      layers.group.add(layers.items.group, layers.forces.group, layers.labels.group);
      if (layers.ghost) layers.group.add(layers.ghost.group);
      run.scene.items.filter((item) => item.kind === "trace" && item.position).forEach((item) => this.addTrace(layers, index, item.name, item));
      this.root.add(layers.group);
      return layers;
    });
    for (const name of this.traced) this.setTraced(name, true);
    this.recolor();
  }

  get hasForces(): boolean {
    return this.layers.some((layers) => layers.forces.any);
  }
  /** What the colours of the arrows say. */
  get contactStates(): ContactState[] {
    return [...new Set(this.layers.flatMap((layers) => layers.forces.states))];
  }
  get forcesOfJoints(): boolean {
    return this.layers.every((layers) => layers.forces.ofJoints);
  }
  get hasTraces(): boolean {
    return this.layers.some((layers) => layers.traces.size > 0) || this.traced.size > 0;
  }
  get severalRuns(): boolean {
    return this.runs.length > 1;
  }
  get points(): string[] {
    return [...ItemLayer.points(this.runs[this.active]).keys()];
  }
  /** Edge of a square of the grid, in metres. */
  get cell(): number {
    return this.ground.cell;
  }

  /**
   * Half of what is seen at first. One body that travels far would be a dot in the picture of its whole path, and so would a mechanism
   * in the plane whose parts stay together. One body in the plane would not: where it goes is what is seen there.
   */
  private firstReach(): number {
    const { radius } = this.extent;
    const points = this.points.length;
    if (points === 0 || (points === 1) === this.planar || this.runs.length > 1) return radius;
    const near = 1.45 * clusterSize(this.runs[0]);
    return near < 0.65 * radius ? near : radius;
  }

  private placeLight(): void {
    const side = new THREE.Vector3(-0.55, -0.75, 0.3).addScaledVector(this.up, this.planar ? 0.4 : 1.7);
    if (this.planar) side.z = 2.2;
    this.light.position.copy(side.normalize().multiplyScalar(5));
    const camera = this.light.shadow.camera;
    camera.left = camera.bottom = -1.9;
    camera.right = camera.top = 1.9;
    camera.near = 0.5;
    camera.far = 12;
    this.light.shadow.mapSize.setScalar(this.sharpness.smoothed ? 1536 : 1024);
    // The far sides cast the shadows, so that what stands on the floor needs no bias there.
    this.light.shadow.bias = -0.0001;
    this.light.shadow.normalBias = 0.001;
    this.light.shadow.radius = 3;
  }

  private addTrace(layers: Layers, index: number, name: string, item: Item): void {
    if (!item.position) return;
    const palette = ItemLayer.palette(this.runs[index]);
    const several = this.runs.length > 1;
    const shade = (): string => item.color ?? (several ? curveColor(index) : color(`--body-${((palette.get(item.body ?? item.name) ?? 1) % 6) + 1}`));
    const trace = new Trace(this.runs[index], item.position, shade);
    layers.traces.set(name, trace);
    layers.group.add(trace.line);
  }

  setTraced(name: string, on: boolean): void {
    if (on) this.traced.add(name);
    else this.traced.delete(name);
    this.layers.forEach((layers, index) => {
      const key = `path of ${name}`;
      const old = layers.traces.get(key);
      if (on && !old) {
        const position = ItemLayer.points(this.runs[index]).get(name);
        if (position) this.addTrace(layers, index, key, { name, kind: "trace", position, body: name });
      } else if (!on && old) {
        layers.group.remove(old.line);
        old.dispose();
        layers.traces.delete(key);
      }
    });
    this.touch();
  }

  setActive(index: number): void {
    this.active = index;
    this.touch();
  }

  setForceFactor(factor: number): void {
    for (const layers of this.layers) layers.forces.factor = factor;
    this.touch();
  }

  /** Something that is shown was changed. */
  touch(): void {
    this.dirty = true;
  }

  look(view: View): void {
    const middle = new THREE.Vector3(...this.extent.center);
    const balls = cloudOf(this.runs, this.extent).map(({ center, radius }) => ({ center: new THREE.Vector3(...center).sub(middle).multiplyScalar(this.unit), radius: radius * this.unit }));
    this.rig.show(view, new THREE.Vector3(0, 0, 0), balls.length ? balls : [{ center: new THREE.Vector3(0, 0, 0), radius: 1 }]);
    this.followed = null;
  }

  /** The first look: at all, or at what travels far, from near by. */
  lookFirst(): void {
    this.look("free");
    if (!(this.seen < this.extent.radius)) return;
    const [first] = this.points;
    const center = this.pointOf(first) ?? new THREE.Vector3();
    this.rig.show("free", center, [{ center, radius: (this.planar ? 1 : 1.2) * this.seen * this.unit }], true);
    this.follow(first);
  }

  follow(name: string | null): void {
    this.followed = name;
    if (!name) return;
    const at = this.pointOf(name);
    if (!at) return;
    this.rig.shift(at.clone().sub(this.rig.controls.target));
    this.lastFollowed.copy(at);
  }

  // Where a body is in units of the scene.
  private pointOf(name: string): THREE.Vector3 | null {
    const run = this.runs[this.active];
    const position = ItemLayer.points(run).get(name);
    if (!position) return null;
    return placeOf(run, position, run.moment(this.t), new THREE.Vector3()).multiplyScalar(this.unit).add(this.root.position);
  }

  /** The body or item under a point of the canvas. */
  pick(x: number, y: number): Item | null {
    const box = this.canvas.getBoundingClientRect();
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.rig.camera);
    return this.layers[this.active].items.pick(raycaster)?.item ?? null;
  }

  recolor(): void {
    this.sky.color.set(0xffffff);
    this.sky.groundColor.set(isDark() ? 0x7a7f88 : 0xd5d0c6);
    this.sky.intensity = isDark() ? 1.5 : 1.9;
    this.light.intensity = isDark() ? 1.5 : 1.6;
    this.ground.recolor();
    for (const layers of this.layers) {
      layers.items.recolor();
      layers.ghost?.recolor();
      layers.forces.recolor();
      layers.labels.recolor();
      for (const trace of layers.traces.values()) trace.recolor();
    }
    this.touch();
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    this.touch();
  }

  setTime(t: number): void {
    this.t = t;
    this.touch();
  }

  private arrange(): void {
    this.layers.forEach((layers, index) => {
      const isActive = index === this.active;
      layers.group.visible = isActive || this.shown.ghosts;
      layers.items.group.visible = isActive;
      if (layers.ghost) layers.ghost.group.visible = !isActive && this.shown.ghosts;
      layers.forces.group.visible = isActive && this.shown.forces && layers.forces.any;
      layers.labels.group.visible = isActive;
      if (!layers.group.visible) return;
      const moment = this.runs[index].moment(this.t);
      if (isActive) {
        layers.items.update(moment);
        layers.labels.update(moment);
        if (this.shown.forces) layers.forces.update(moment);
        this.ground.update(this.runs[index], moment);
      } else {
        layers.ghost?.update(moment);
      }
      for (const trace of layers.traces.values()) {
        if (this.shown.traces) trace.update(moment);
        else trace.line.visible = false;
      }
    });
    if (this.followed) {
      const at = this.pointOf(this.followed);
      if (at) {
        this.rig.shift(at.clone().sub(this.lastFollowed));
        this.lastFollowed.copy(at);
      }
    }
    this.ground.group.visible = this.shown.ground;
  }

  private setShadows(on: boolean): void {
    this.renderer.shadowMap.enabled = this.light.castShadow = on;
    this.ground.setShadows(on ? this.layers[this.active].items.box() : null, this.light.position);
  }

  /** Draws if something changed; says whether it did. */
  draw(): boolean {
    const moved = this.dirty || this.rig.changed;
    const ratio = this.sharpness.next(moved);
    if (ratio === null) return false;
    if (this.dirty) this.arrange();
    this.dirty = false;
    this.rig.changed = false;
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.setShadows(this.shown.shadows && (!this.late || !moved));
    this.renderer.render(this.scene, this.rig.camera);
    // After the new layers were drawn: programs that both have are not compiled again.
    for (const group of this.retired.splice(0)) disposeOf(group);
    this.frames++;
    return true;
  }

  get framesDrawn(): number {
    return this.frames;
  }

  /** The picture is as fine as it will be. */
  get isFine(): boolean {
    return !this.dirty && !this.rig.changed && this.sharpness.isFine;
  }

  /** While it plays: shadows go first when frames take too long, then half of the pixels; both are back when it stands still. */
  watchSpeed(milliseconds: number): void {
    if (milliseconds > 500) return; // the page was hidden
    this.slow = milliseconds > late ? this.slow + milliseconds / late : Math.max(0, this.slow - 1);
    if (this.slow < 20) return;
    this.slow = 0;
    if (this.shown.shadows && !this.late) this.late = true;
    else this.sharpness.lower();
  }

  /** The length of a scale bar: a round number of metres, and its pixels. */
  scaleBar(): { metres: number; pixels: number } {
    const perMetre = this.rig.pixelsPerUnit(this.canvas.clientHeight || 1) * this.unit;
    const power = 10 ** Math.floor(Math.log10(110 / perMetre));
    const metres = ([5, 2, 1].find((m) => m * power * perMetre <= 110) ?? 1) * power;
    return { metres, pixels: metres * perMetre };
  }

  /** The picture on its background, at a multiple of its size. */
  picture(factor: number): HTMLCanvasElement {
    const size = this.renderer.getSize(new THREE.Vector2());
    const ratio = this.renderer.getPixelRatio();
    // In software rendering it is drawn larger than it is kept, which smooths it.
    this.renderer.setPixelRatio(Math.max(this.sharpness.screen * factor, Math.min(this.sharpness.fine * factor, mostPixels / Math.max(size.x, size.y))));
    this.setShadows(this.shown.shadows);
    this.renderer.setSize(size.x, size.y, false);
    this.renderer.render(this.scene, this.rig.camera);
    const copy = document.createElement("canvas");
    copy.width = Math.round(size.x * this.sharpness.screen * factor);
    copy.height = Math.round(size.y * this.sharpness.screen * factor);
    this.paintOn(copy);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(size.x, size.y, false);
    this.touch();
    return copy;
  }

  /** Background and scene as they are now on another canvas, as large as it is. */
  paintOn(copy: HTMLCanvasElement): void {
    const context = copy.getContext("2d") as CanvasRenderingContext2D;
    const gradient = context.createLinearGradient(0, 0, 0, copy.height);
    gradient.addColorStop(0, color("--sky-top"));
    gradient.addColorStop(1, color("--sky"));
    context.fillStyle = gradient;
    context.fillRect(0, 0, copy.width, copy.height);
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, copy.width, copy.height);
  }
}
