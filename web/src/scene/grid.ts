// A grid that fades away, and the floor below it. Software rendering pays for every pixel of a shader, and a floor is most of the picture:
// so the floor has its colour from its corners, and the lines are narrow strips that carry their own smooth edges.
import * as THREE from "three";
import { color } from "../app/theme";

// A strip of a few pixels along each line. What fades is told at its ends: with the distance from the centre, and where lines would
// be closer than some pixels. The part of a line behind the camera is cut off.
const lineVertex = `
  attribute vec4 ends; attribute float share;
  uniform vec2 centre; uniform vec2 halfSize; uniform float reach; uniform float cell; uniform float strength; uniform float halfWidth;
  varying float vAlpha; varying float vEdge;
  const float near = -0.02;
  vec2 onScreen(vec4 p) { return p.xy / p.w * halfSize; }
  void main() {
    vec4 a = modelViewMatrix * vec4(ends.xy, 0.0, 1.0), b = modelViewMatrix * vec4(ends.zw, 0.0, 1.0);
    bool perspective = projectionMatrix[3][3] == 0.0;
    if (perspective && a.z > near && b.z > near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (perspective && a.z > near) a = mix(a, b, (near - a.z) / (b.z - a.z));
    if (perspective && b.z > near) b = mix(b, a, (near - b.z) / (a.z - b.z));
    vec4 pa = projectionMatrix * a, pb = projectionMatrix * b;
    vec2 along = onScreen(pb) - onScreen(pa);
    along = length(along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
    vec4 own = position.x < 0.5 ? pa : pb;
    gl_Position = own + vec4(vec2(-along.y, along.x) * position.y * halfWidth / halfSize * own.w, 0.0, 0.0);
    vEdge = position.y * halfWidth;
    vec2 at = position.x < 0.5 ? ends.xy : ends.zw, across = normalize(ends.zw - ends.xy).yx * vec2(-1.0, 1.0);
    float spacing = share < 1.0 ? cell : 5.0 * cell;
    vec2 next = onScreen(projectionMatrix * modelViewMatrix * vec4(at + across * spacing, 0.0, 1.0)) - onScreen(own);
    float apart = abs(along.x * next.y - along.y * next.x);
    vAlpha = strength * share * smoothstep(2.0, 6.0, apart) * (1.0 - smoothstep(0.35, 1.0, length(at - centre) / reach));
  }`;

const lineFragment = `
  uniform vec3 ink; uniform float halfWidth;
  varying float vAlpha; varying float vEdge;
  void main() { gl_FragColor = vec4(ink, vAlpha * clamp(halfWidth - abs(vEdge), 0.0, 1.0)); }`;

const floorVertex = `
  attribute float alpha; varying float vAlpha;
  void main() { vAlpha = alpha; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const floorFragment = `
  uniform vec3 ink; varying float vAlpha;
  void main() { gl_FragColor = vec4(ink, vAlpha); }`;

const minorShare = 0.45; // of the strength of every fifth line

// As it is in the picture: these shaders do not work with light.
const inkOf = (name: string): THREE.Color => new THREE.Color().setStyle(color(name), THREE.LinearSRGBColorSpace);

// Four corners for each piece of a line. In software rendering every instance costs as much as a drawing of its own: here are none.
function linesWithin(reach: number, cell: number): THREE.BufferGeometry {
  const corners: number[] = [];
  const faces: number[] = [];
  const ends: number[] = [];
  const shares: number[] = [];
  const add = (spacing: number, radius: number, share: number, skip: number): void => {
    const piece = radius / 6;
    for (let i = -Math.floor(radius / spacing); i * spacing <= radius; i++) {
      if (skip && i % skip === 0) continue;
      const half = Math.sqrt(Math.max(0, radius ** 2 - (i * spacing) ** 2));
      const pieces = Math.max(1, Math.ceil((2 * half) / piece));
      for (let k = 0; k < pieces; k++) {
        const [from, to] = [-half + (2 * half * k) / pieces, -half + (2 * half * (k + 1)) / pieces];
        for (const line of [[i * spacing, from, i * spacing, to], [from, i * spacing, to, i * spacing]]) {
          const first = shares.length;
          for (const corner of [[0, -1, 0], [1, -1, 0], [1, 1, 0], [0, 1, 0]]) {
            corners.push(...corner);
            ends.push(...line);
            shares.push(share);
          }
          faces.push(first, first + 1, first + 2, first, first + 2, first + 3);
        }
      }
    }
  };
  add(cell, reach * 0.6, minorShare, 5);
  add(5 * cell, reach, 1, 0);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setAttribute("ends", new THREE.Float32BufferAttribute(ends, 4));
  geometry.setAttribute("share", new THREE.Float32BufferAttribute(shares, 1));
  geometry.setIndex(faces);
  return geometry;
}

// A disc in rings; what is beyond a third of its reach fades, until its rim is not to be seen.
function disc(rings: number[], reach: number): THREE.BufferGeometry {
  const sectors = 48;
  const points: number[] = [];
  const alphas: number[] = [];
  const faces: number[] = [];
  rings.forEach((ring, i) => {
    for (let k = 0; k < sectors; k++) {
      const angle = (2 * Math.PI * k) / sectors;
      points.push(reach * ring * Math.cos(angle), reach * ring * Math.sin(angle), 0);
      alphas.push(1 - THREE.MathUtils.smoothstep(ring, rings === whole ? 1 : whole[1], 1));
      if (i === 0) continue;
      const next = (k + 1) % sectors;
      const [inner, outer] = [(i - 1) * sectors, i * sectors];
      faces.push(inner + k, outer + k, outer + next, inner + k, outer + next, inner + next);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute("alpha", new THREE.Float32BufferAttribute(alphas, 1));
  geometry.setIndex(faces);
  return geometry;
}
const whole = [0, 0.35];
const fading = [0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.94, 1];

export class Grid {
  readonly group = new THREE.Group();
  private readonly lines: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly floor: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>[] = [];
  private readonly snap: number;

  /** Squares with edges `cell` as far as `reach`, in the plane of x and y; `filled`: with a floor below. */
  constructor(reach: number, cell: number, filled: boolean, strength: number) {
    const look = { transparent: true, side: THREE.DoubleSide, depthWrite: false };
    this.snap = 5 * cell;
    const material = new THREE.ShaderMaterial({
      ...look, vertexShader: lineVertex, fragmentShader: lineFragment,
      uniforms: {
        centre: { value: new THREE.Vector2() }, halfSize: { value: new THREE.Vector2(1, 1) }, halfWidth: { value: 1 }, reach: { value: reach },
        cell: { value: cell }, strength: { value: strength }, ink: { value: new THREE.Color() },
      },
    });
    this.lines = new THREE.Mesh(linesWithin(reach + this.snap, cell), material);
    this.lines.onBeforeRender = (renderer) => {
      renderer.getDrawingBufferSize(material.uniforms.halfSize.value as THREE.Vector2).multiplyScalar(0.5);
      material.uniforms.halfWidth.value = renderer.getPixelRatio() / 2 + 0.5;
    };
    this.lines.renderOrder = -2;
    // What covers all below it is drawn without looking at it, behind the bodies that stand on it.
    for (const rings of filled ? [whole, fading] : []) {
      const mesh = new THREE.Mesh(disc(rings, reach), new THREE.ShaderMaterial({
        ...look, transparent: rings === fading, vertexShader: floorVertex, fragmentShader: floorFragment, uniforms: { ink: { value: new THREE.Color() } },
      }));
      mesh.renderOrder = rings === fading ? -3 : 3;
      this.floor.push(mesh);
    }
    for (const mesh of [...this.floor, this.lines]) {
      mesh.frustumCulled = false;
      mesh.raycast = () => undefined;
      this.group.add(mesh);
    }
    this.recolor();
  }

  /** About this point of the plane; lines stay at multiples of the cell. */
  centreAt(x: number, y: number): void {
    const whole = (value: number): number => Math.round(value / this.snap) * this.snap;
    this.lines.position.set(whole(x), whole(y), 0);
    (this.lines.material.uniforms.centre.value as THREE.Vector2).set(x - whole(x), y - whole(y));
    for (const mesh of this.floor) mesh.position.set(x, y, 0);
  }

  recolor(): void {
    (this.lines.material.uniforms.ink.value as THREE.Color).copy(inkOf("--grid"));
    for (const { material } of this.floor) (material.uniforms.ink.value as THREE.Color).copy(inkOf("--ground"));
  }
}
