// Where things are at a moment: positions between rows, orientations on the sphere of quaternions.
import * as THREE from "three";
import type { Vector } from "../data/contract";
import type { Moment, Run } from "../data/run";

export function placeOf(run: Run, position: Vector, moment: Moment, target: THREE.Vector3): THREE.Vector3 {
  return target.set(run.between(position[0] ?? 0, moment), run.between(position[1] ?? 0, moment), run.between(position[2] ?? 0, moment));
}

const next = new THREE.Quaternion();

export function turnOf(run: Run, orientation: Vector | null | undefined, moment: Moment, target: THREE.Quaternion): THREE.Quaternion {
  if (!orientation || orientation.length < 4) return target.identity();
  const [w, x, y, z] = orientation;
  const row = moment.row;
  target.set(run.at(x, row), run.at(y, row), run.at(z, row), run.at(w, row));
  if (moment.fraction > 0) {
    next.set(run.at(x, row + 1), run.at(y, row + 1), run.at(z, row + 1), run.at(w, row + 1));
    target.slerp(next, moment.fraction);
  }
  return target.normalize();
}

const along = new THREE.Vector3(0, 0, 1);

/** The turn that takes z into a direction. */
export function turnTo(direction: THREE.Vector3, target: THREE.Quaternion): THREE.Quaternion {
  return target.setFromUnitVectors(along, direction);
}
