// Contact forces as arrows from the contact point: normal force, friction force, and an arc for the drilling torque. They shine
// through bodies, since the force on a body mostly points into it.
import * as THREE from "three";
import { color } from "../app/theme";
import type { Contact } from "../data/contract";
import { percentile, type Moment, type Run } from "../data/run";
import { ContactReader, forceOf, lasts, stateColor, type ContactState } from "./contact_state";
import { Path } from "./geometry";
import { placeOf, turnTo } from "./places";

interface Drawn {
  reader: ContactReader;
  contact: Contact;
  arc: THREE.Group | null;
}

const from = new THREE.Vector3();
const direction = new THREE.Vector3();
const normal = new THREE.Vector3();
const part = new THREE.Vector3();
const turn = new THREE.Quaternion();
const scale = new THREE.Vector3();
const matrix = new THREE.Matrix4();
const maximumArcs = 40;

/** Instances drawn twice: as they are, and faintly where something is in front of them. Only those that are there are drawn. */
class Twice {
  private readonly meshes: THREE.InstancedMesh[];
  private count = 0;
  constructor(group: THREE.Group, geometry: THREE.BufferGeometry, most: number) {
    this.meshes = [false, true].map((through) => {
      const material = new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: through, opacity: through ? 0.6 : 1, depthTest: !through, depthWrite: !through });
      const mesh = new THREE.InstancedMesh(geometry, material, most);
      mesh.frustumCulled = false;
      mesh.renderOrder = through ? 5 : 4;
      mesh.raycast = () => undefined;
      group.add(mesh);
      return mesh;
    });
  }
  clear(): void {
    this.count = 0;
  }
  add(m: THREE.Matrix4, shade: THREE.Color): void {
    for (const mesh of this.meshes) {
      mesh.setMatrixAt(this.count, m);
      mesh.setColorAt(this.count, shade);
    }
    this.count++;
  }
  done(): void {
    for (const mesh of this.meshes) {
      mesh.count = this.count;
      mesh.visible = this.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}

export class ForceLayer {
  readonly group = new THREE.Group();
  /** Newtons that are drawn as one arrow length, and that length in metres. */
  readonly reference: number;
  factor = 1;
  private perNewton = 0;
  private readonly drawn: Drawn[];
  /** What the arrows show now, in their order: the contact, and which of its forces. */
  readonly arrows: { contact: string; force: "N" | "T" }[] = [];
  private readonly shafts: Twice;
  private readonly heads: Twice;
  private readonly dots: Twice;
  private readonly torque: number;
  private colors = new Map<ContactState, THREE.Color>();

  constructor(private readonly run: Run, private readonly length: number) {
    const contacts = run.scene.contacts.filter((contact) => contact.point && ((contact.N ?? null) !== null || contact.T?.length));
    this.drawn = contacts.map((contact) => ({ reader: new ContactReader(run, contact), contact, arc: null }));
    // What is closed for some rows only is in an impact: its forces are beyond what is usual.
    const typical = contacts.slice(0, 200).map((contact) => ({ force: percentile(run.rows, (row) => forceOf(run, contact, row), 0.9), lasting: lasts(run, contact) }));
    const largest = (list: typeof typical): number => Math.max(0, ...list.map((one) => one.force));
    this.reference = largest(typical.filter((one) => one.lasting)) || largest(typical) || 1;
    const drills = contacts.slice(0, maximumArcs).map((contact) => {
      const drill = contact.drill;
      return drill === null || drill === undefined ? 0 : percentile(run.rows, (row) => run.at(drill, row), 0.95);
    });
    this.torque = Math.max(0, ...drills);
    // Two arrows for each contact: its normal and its friction force.
    const count = Math.max(1, contacts.length); // an empty layer is not shown
    this.group.visible = contacts.length > 0;
    this.shafts = new Twice(this.group, new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2), 2 * count);
    this.heads = new Twice(this.group, new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2), 2 * count);
    this.dots = new Twice(this.group, new THREE.SphereGeometry(1, 14, 10), count);
    this.drawn.forEach((one, i) => {
      if (this.torque > 0 && i < maximumArcs && one.contact.drill !== null && one.contact.drill !== undefined) one.arc = this.makeArc();
    });
    this.recolor();
  }

  get any(): boolean {
    return this.drawn.length > 0;
  }

  /** What the colours of its arrows can say. */
  get states(): ContactState[] {
    const rubbing = this.drawn.filter(({ contact }) => contact.laws?.some((law) => law.velocity?.length)).length;
    const strikes = this.drawn.some(({ contact }) => (contact.N ?? null) !== null);
    return [...(rubbing > 0 ? (["stick", "slip"] as const) : []), ...(rubbing < this.drawn.length ? (["closed"] as const) : []), ...(strikes ? (["impact"] as const) : [])];
  }

  /** Of joints only. */
  get ofJoints(): boolean {
    return this.drawn.every(({ contact }) => !contact.normal && (contact.N ?? null) === null);
  }

  recolor(): void {
    this.colors = new Map((Object.keys(stateColor) as ContactState[]).map((state) => [state, new THREE.Color(color(stateColor[state]))]));
  }

  private makeArc(): THREE.Group {
    const circle = new (class extends Path {
      override getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
        const angle = s * 1.75 * Math.PI;
        return target.set(Math.cos(angle), Math.sin(angle), 0);
      }
    })();
    const group = new THREE.Group();
    const tube = new THREE.Mesh(new THREE.TubeGeometry(circle, 64, 0.045, 8), new THREE.MeshBasicMaterial());
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.14, 0.36, 14), new THREE.MeshBasicMaterial());
    for (const mesh of [tube, head]) {
      mesh.raycast = () => undefined;
      mesh.renderOrder = 4;
      const material = mesh.material as THREE.MeshBasicMaterial;
      material.depthTest = false;
      material.transparent = true;
      material.opacity = 0.85;
    }
    group.add(tube, head);
    this.group.add(group);
    return group;
  }

  private arrow(contact: string, force: "N" | "T", value: number, shade: THREE.Color): void {
    const length = Math.abs(value) * this.perNewton;
    if (!(length > this.length * 0.01)) return;
    this.arrows.push({ contact, force });
    if (value < 0) direction.negate();
    const thin = this.length * 0.026;
    const head = Math.min(length * 0.6, this.length * 0.22);
    turnTo(direction, turn);
    part.copy(from).addScaledVector(direction, (length - head) / 2);
    this.shafts.add(matrix.compose(part, turn, scale.set(thin, thin, length - head)), shade);
    part.copy(from).addScaledVector(direction, length - head / 2);
    this.heads.add(matrix.compose(part, turn, scale.set(head * 0.36, head * 0.36, head)), shade);
  }

  update(moment: Moment): void {
    const { run } = this;
    const all = [this.shafts, this.heads, this.dots];
    for (const twice of all) twice.clear();
    this.arrows.length = 0;
    for (const { reader, contact, arc } of this.drawn) {
      const { row } = moment;
      const state = reader.state(row);
      const shade = this.colors.get(state) as THREE.Color;
      if (arc) arc.visible = false;
      if (state === "open" || !contact.point) continue;
      placeOf(run, contact.point, moment, from);
      // Percussions are thousands of times the weight: beyond twice the usual arrow the length grows with the logarithm. Normal and
      // friction force keep their ratio.
      const ratio = (forceOf(run, contact, row) / this.reference) * this.factor;
      const drawn = ratio <= 2 ? ratio : Math.min(3.5, 2 + Math.log10(ratio / 2));
      this.perNewton = ratio > 0 ? (((drawn / ratio) * this.factor) / this.reference) * this.length : 0;
      this.dots.add(matrix.compose(from, turn.identity(), scale.setScalar(this.length * 0.055)), shade);
      if (contact.normal) {
        placeOf(run, contact.normal, moment, normal).normalize();
        direction.copy(normal);
        this.arrow(contact.name, "N", contact.N === null || contact.N === undefined ? 0 : run.at(contact.N, row), shade);
      } else {
        normal.set(0, 0, 1);
      }
      direction.set(0, 0, 0);
      (contact.T ?? []).forEach((channel, k) => {
        const tangent = contact.tangents?.[k];
        if (tangent) direction.addScaledVector(placeOf(run, tangent, moment, part), run.at(channel, row));
      });
      const friction = direction.length();
      if (friction > 0) direction.divideScalar(friction);
      else direction.set(1, 0, 0);
      this.arrow(contact.name, "T", friction, shade);
      if (arc && contact.drill !== null && contact.drill !== undefined) this.turnArc(arc, run.at(contact.drill, row), shade);
    }
    for (const twice of all) twice.done();
  }

  private turnArc(arc: THREE.Group, torque: number, shade: THREE.Color): void {
    const share = Math.min(1, Math.abs(torque) / this.torque);
    if (share < 0.02) return;
    const [tube, head] = arc.children as THREE.Mesh[];
    const segments = Math.max(3, Math.round(share * 64));
    tube.geometry.setDrawRange(0, segments * 8 * 6);
    const angle = (segments / 64) * 1.75 * Math.PI;
    head.position.set(Math.cos(angle), Math.sin(angle), 0);
    head.rotation.set(0, 0, angle);
    for (const mesh of [tube, head]) (mesh.material as THREE.MeshBasicMaterial).color.copy(shade);
    arc.visible = true;
    arc.position.copy(from).addScaledVector(normal, this.length * 0.02);
    turnTo(normal, arc.quaternion);
    // A torque about -n turns the other way round.
    if (torque < 0) arc.scale.set(this.length * 0.3, -this.length * 0.3, this.length * 0.3);
    else arc.scale.setScalar(this.length * 0.3);
    for (const mesh of [tube, head]) (mesh.material as THREE.MeshBasicMaterial).side = THREE.DoubleSide;
  }
}
