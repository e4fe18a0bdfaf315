// A set of three dimensions as a body of glass.
import * as THREE from "three";
import { color } from "../app/theme";
import type { Boundary } from "./boundary";

const manyTriangles = 600;

export class Glass {
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

  /** With the lines of its triangles, which take long in software rendering where they are many. */
  set detailed(on: boolean) {
    this.lines.visible = on || this.boundary.triangles.length <= manyTriangles;
  }

  /** Its corners as they are now, three numbers each. */
  get corners(): ArrayLike<number> {
    return this.geometry.getAttribute("position").array;
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
