// Texts in the scene, always towards the reader, and small marks at joints.
import * as THREE from "three";
import { color } from "../app/theme";
import type { Item, Joint } from "../data/contract";
import type { Moment, Run } from "../data/run";
import { parsed } from "./materials";
import { placeOf, turnTo } from "./places";

class Label {
  readonly sprite: THREE.Sprite;
  constructor(readonly item: Item, private readonly height: number) {
    this.sprite = new THREE.Sprite(new THREE.SpriteMaterial({ transparent: true, depthTest: false }));
    this.sprite.renderOrder = 6;
    this.sprite.raycast = () => undefined;
    this.paint();
  }
  paint(): void {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const font = "500 40px Inter, sans-serif";
    context.font = font;
    const text = this.item.text ?? this.item.name;
    canvas.width = Math.ceil(context.measureText(text).width) + 16;
    canvas.height = 56;
    context.font = font;
    context.textBaseline = "middle";
    const shade = parsed(this.item.color);
    context.fillStyle = shade ? `#${shade.getHexString()}` : color("--ink");
    context.fillText(text, 8, 30);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    this.sprite.material.map?.dispose();
    this.sprite.material.map = texture;
    this.sprite.material.needsUpdate = true;
    this.sprite.scale.set((this.height * canvas.width) / canvas.height, this.height, 1);
  }
}

export class Labels {
  readonly group = new THREE.Group();
  private readonly labels: Label[];
  private readonly joints: { joint: Joint; mesh: THREE.Mesh }[];

  constructor(private readonly run: Run, size: number) {
    this.labels = run.scene.items.filter((item) => item.kind === "text" && item.position).map((item) => new Label(item, size * 0.5));
    const material = new THREE.MeshBasicMaterial();
    this.joints = (run.scene.joints ?? []).filter((joint) => joint.position).map((joint) => {
      // A pin along the axis of a hinge, a ball elsewhere.
      const geometry = joint.axis ? new THREE.CylinderGeometry(size * 0.06, size * 0.06, size * 0.3, 16).rotateX(Math.PI / 2) : new THREE.SphereGeometry(size * 0.07, 16, 12);
      const mesh = new THREE.Mesh(geometry, material);
      mesh.raycast = () => undefined;
      return { joint, mesh };
    });
    for (const label of this.labels) this.group.add(label.sprite);
    for (const { mesh } of this.joints) this.group.add(mesh);
    this.recolor();
  }

  recolor(): void {
    for (const label of this.labels) label.paint();
    for (const { mesh } of this.joints) (mesh.material as THREE.MeshBasicMaterial).color.set(color("--muted"));
  }

  update(moment: Moment): void {
    const direction = new THREE.Vector3();
    for (const { item, sprite } of this.labels) placeOf(this.run, item.position ?? [0, 0, 0], moment, sprite.position);
    for (const { joint, mesh } of this.joints) {
      placeOf(this.run, joint.position, moment, mesh.position);
      if (joint.axis) turnTo(placeOf(this.run, joint.axis, moment, direction).normalize(), mesh.quaternion);
    }
  }
}
