// The ground: planes of the model as a grid that fades away, or a faint grid below the scene where the model has none. In planar
// models a plane is seen from its edge: a line with the hatching of textbooks.
import * as THREE from "three";
import { color } from "../app/theme";
import type { Item } from "../data/contract";
import { Run, type Moment } from "../data/run";
import { roundBelow } from "../data/numbers";
import type { Extent } from "./extent";
import { placeOf, turnOf, turnTo } from "./places";

const vertex = `
  varying vec2 vPlane;
  #include <common>
  #include <fog_pars_vertex>
  void main() { vPlane = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;

// Lines of a pixel at multiples of `cell`, stronger at every fifth; they fade with the distance from the centre and where they
// would be closer than some pixels.
const fragment = `
  varying vec2 vPlane;
  uniform vec2 centre; uniform float cell; uniform float reach; uniform vec3 ink; uniform vec3 fill; uniform float filled; uniform float strength;
  // x: the plane in cells, w: how many of them a pixel is.
  float lines(vec2 x, vec2 w) {
    vec2 d = abs(fract(x - 0.5) - 0.5) / w;
    return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y)));
  }
  void main() {
    float fade = 1.0 - smoothstep(0.35, 1.0, length(vPlane - centre) / reach);
    vec2 x = vPlane / cell;
    vec2 w = max(fwidth(x), 1e-6);
    float line = max(lines(x, w) * 0.45, lines(x * 0.2, w * 0.2));
    float a = line * strength;
    float alpha = (filled + (1.0 - filled) * a) * fade;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(mix(fill, ink, filled > 0.0 ? a : 1.0), alpha);
    #include <colorspace_fragment>
  }`;

export interface Ground {
  group: THREE.Group;
  cell: number;
  update: (run: Run, moment: Moment) => void;
  recolor: () => void;
  setShadows: (on: boolean) => void;
}

function gridMaterial(extent: Extent, cell: number, filled: number, strength: number): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: vertex, fragmentShader: fragment, transparent: true, side: THREE.DoubleSide, depthWrite: false,
    uniforms: {
      centre: { value: new THREE.Vector2() }, cell: { value: cell }, reach: { value: extent.radius * 9 },
      ink: { value: new THREE.Color() }, fill: { value: new THREE.Color() }, filled: { value: filled }, strength: { value: strength },
    },
  });
}

// Below the line of a plane in a planar model: strokes that lean to the left, as in a textbook.
function hatching(extent: Extent, gap: number): THREE.BufferGeometry {
  const reach = extent.radius * 12;
  const points: number[] = [-reach, 0, 0, reach, 0, 0];
  const count = Math.min(2000, Math.floor((2 * reach) / gap));
  for (let i = 0; i <= count; i++) {
    const x = -reach + (2 * reach * i) / count;
    points.push(x, 0, 0, x - gap * 0.8, -gap * 0.8, 0);
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

export function makeGround(run: Run, extent: Extent, planar: boolean, up: THREE.Vector3): Ground {
  const group = new THREE.Group();
  const cell = roundBelow(extent.radius / 4);
  const planes = run.scene.items.filter((item) => item.kind === "plane");
  const placed: { item: Item; object: THREE.Object3D; material?: THREE.ShaderMaterial }[] = [];
  const materials: THREE.ShaderMaterial[] = [];
  const strokes: THREE.LineBasicMaterial[] = [];
  const shadows: THREE.Mesh[] = [];
  const reach = extent.radius * 10;
  const centre = new THREE.Vector3(...extent.center);

  const floor = (filled: number, strength: number): THREE.Group => {
    const plane = new THREE.Group();
    const material = gridMaterial(extent, cell, filled, strength);
    materials.push(material);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), material);
    mesh.renderOrder = -2;
    const shadow = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), new THREE.ShadowMaterial({ opacity: 0.2, depthWrite: false }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    shadows.push(shadow);
    plane.add(mesh, shadow);
    return plane;
  };

  if (planar) {
    // A sheet of squared paper behind everything.
    const material = gridMaterial(extent, cell, 0, 0.5);
    materials.push(material);
    const paper = new THREE.Mesh(new THREE.PlaneGeometry(4 * reach, 4 * reach), material);
    material.uniforms.reach.value = reach * 2;
    paper.position.z = -extent.radius * 1.5;
    paper.renderOrder = -3;
    group.add(paper);
    for (const item of planes) {
      const material2 = new THREE.LineBasicMaterial();
      strokes.push(material2);
      const object = new THREE.LineSegments(hatching(extent, extent.radius / 14), material2);
      group.add(object);
      placed.push({ item, object });
    }
  } else if (planes.length > 0) {
    for (const item of planes) {
      const object = floor(1, 0.32);
      group.add(object);
      placed.push({ item, object, material: materials[materials.length - 1] });
    }
  } else {
    const object = floor(0, 0.4);
    const low = new THREE.Vector3(...extent.min);
    const high = new THREE.Vector3(...extent.max);
    // The corner of the box of the scene that is lowest.
    const height = ["x", "y", "z"].reduce((sum, axis) => {
      const k = axis as "x" | "y" | "z";
      return sum + (up[k] > 0 ? low[k] : high[k]) * up[k];
    }, 0);
    object.position.copy(centre).addScaledVector(up, height - centre.dot(up));
    turnTo(up, object.quaternion);
    // Lines at round coordinates rather than about the centre.
    const inverse = object.quaternion.clone().invert();
    const shift = object.position.clone().applyQuaternion(inverse);
    const mesh = object.children[0] as THREE.Mesh;
    mesh.geometry.translate(shift.x, shift.y, 0);
    mesh.position.set(-shift.x, -shift.y, 0);
    materials[0].uniforms.centre.value.set(shift.x, shift.y);
    group.add(object);
  }

  const turn = new THREE.Quaternion();
  const point = new THREE.Vector3();
  const normal = new THREE.Vector3();
  const recolor = (): void => {
    for (const material of materials) {
      material.uniforms.ink.value.set(color("--grid"));
      material.uniforms.fill.value.set(color(material.uniforms.filled.value > 0 ? "--ground" : "--grid"));
    }
    for (const material of strokes) material.color.set(color("--muted"));
    for (const shadow of shadows) (shadow.material as THREE.ShadowMaterial).opacity = 0.2;
  };
  recolor();
  return {
    group, cell, recolor,
    setShadows: (on) => {
      for (const shadow of shadows) shadow.visible = on;
    },
    update: (current, moment) => {
      for (const { item, object, material } of placed) {
        placeOf(current, item.position ?? [0, 0, 0], moment, point);
        turnOf(current, item.orientation, moment, turn);
        normal.set(0, 0, 1).applyQuaternion(turn);
        if (planar) {
          // The plane's normal lies in the picture; its line is drawn about the foot of the scene's centre.
          const distance = centre.clone().sub(point).dot(normal);
          object.position.copy(centre).addScaledVector(normal, -distance).setZ(0);
          object.rotation.set(0, 0, Math.atan2(normal.y, normal.x) - Math.PI / 2);
        } else {
          object.position.copy(point);
          object.quaternion.copy(turn);
          const foot = centre.clone().sub(point).applyQuaternion(turn.clone().invert());
          material?.uniforms.centre.value.set(foot.x, foot.y);
          for (const child of object.children) {
            (child as THREE.Mesh).position.set(0, 0, 0);
          }
        }
      }
    },
  };
}
