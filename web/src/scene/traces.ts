// Paths of points up to now: those the model draws, and those of bodies that the reader chooses.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { parsed } from "./materials";
import type { Vector } from "../data/contract";
import type { Moment, Run } from "../data/run";

export class Trace {
  readonly line: Line2;
  private readonly rows: Int32Array;

  constructor(run: Run, position: Vector, readonly shade: () => string, opacity = 0.9, width = 2) {
    const stride = Math.max(1, Math.floor(run.rows / 20000));
    const points: number[] = [];
    const rows: number[] = [];
    for (let row = 0; row < run.rows; row += stride) {
      const place = [0, 1, 2].map((axis) => run.at(position[axis] ?? 0, row));
      if (!place.every(Number.isFinite)) continue;
      points.push(...place);
      rows.push(row);
    }
    if (rows.length === 1) points.push(...points); // a line needs two points
    this.rows = Int32Array.from(rows);
    const geometry = new LineGeometry();
    geometry.setPositions(points.length ? points : [0, 0, 0, 0, 0, 0]);
    const material = new LineMaterial({ linewidth: width, transparent: opacity < 1, opacity });
    this.line = new Line2(geometry, material);
    this.line.frustumCulled = false;
    this.line.raycast = () => undefined;
    this.recolor();
  }

  recolor(): void {
    this.line.material.color.copy(parsed(this.shade()) ?? new THREE.Color(this.shade()));
  }

  update(moment: Moment): void {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle] <= moment.row) low = middle + 1;
      else high = middle;
    }
    this.line.geometry.instanceCount = Math.max(0, low - 1);
    this.line.visible = low > 1;
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.line.material.dispose();
  }
}
