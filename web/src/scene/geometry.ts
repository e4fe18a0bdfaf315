// Unit shapes: a sphere of radius 1, a cube of edge 1, cylinders and cones of radius 1 and length 1 along z.
import * as THREE from "three";
import { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";

/** A curve to be given by its points: three declares the constructor of its own as protected. */
export abstract class Path extends THREE.Curve<THREE.Vector3> {
  constructor() {
    super();
  }
}

export type Unit = "sphere" | "box" | "cylinder" | "cone" | "spring" | "circle";

/** Fewer faces where there are many instances: the picture of each is small then. */
export function unitGeometry(unit: Unit, instances: number): THREE.BufferGeometry {
  const rough = instances > 600 ? 2 : instances > 150 ? 1 : 0;
  switch (unit) {
    case "sphere":
      return new THREE.SphereGeometry(1, [40, 20, 12][rough], [28, 14, 8][rough]).rotateX(Math.PI / 2);
    case "box":
      return new THREE.BoxGeometry(1, 1, 1);
    case "cylinder":
      return new THREE.CylinderGeometry(1, 1, 1, [48, 24, 12][rough]).rotateX(Math.PI / 2);
    case "cone":
      return new THREE.ConeGeometry(1, 1, [40, 20, 10][rough]).rotateX(Math.PI / 2);
    case "circle":
      return new THREE.CircleGeometry(1, [64, 32, 16][rough]);
    case "spring":
      return helix(instances > 60 ? 4 : 8);
  }
}

// Coils along z from 0 to 1, with straight ends; radius 1 across, squeezed when it is drawn.
function helix(sides: number): THREE.BufferGeometry {
  const coils = 8;
  const curve = new (class extends Path {
    override getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
      const end = 0.12;
      const inside = Math.min(1, Math.max(0, (s - end) / (1 - 2 * end)));
      const radius = Math.min(1, Math.min(inside, 1 - inside) * 30);
      const angle = 2 * Math.PI * coils * inside;
      return target.set(Math.cos(angle) * radius, Math.sin(angle) * radius, s);
    }
  })();
  const segments = coils * 16;
  const tube = new THREE.TubeGeometry(curve, segments, 0.11, sides);
  // Along z the wire will be stretched by the length of the spring, which is some ten radii: it is made flatter here.
  const points = tube.getAttribute("position");
  for (let i = 0; i <= segments; i++) {
    const middle = curve.getPointAt(i / segments).z;
    for (let j = 0; j <= sides; j++) {
      const at = i * (sides + 1) + j;
      points.setZ(at, middle + (points.getZ(at) - middle) / 9);
    }
  }
  return tube;
}

export function polyhedron(points: number[][]): THREE.BufferGeometry {
  try {
    return new ConvexGeometry(points.map(([x, y, z]) => new THREE.Vector3(x, y, z)));
  } catch {
    return new THREE.BufferGeometry(); // its corners lie in a plane
  }
}

export function polygon(points: number[][]): THREE.BufferGeometry {
  return new THREE.ShapeGeometry(new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y))));
}
