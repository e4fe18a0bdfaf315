// Hundreds of balls: each is one square towards the camera on which a ball is painted, four corners instead of hundreds. In software
// rendering corners take the time, and so do instances, each of which costs as much as a drawing of its own: all squares are one
// mesh. They are round at every size, and cast no shadows.
import * as THREE from "three";

const vertex = `
  attribute vec2 corner; attribute vec4 ball; attribute vec4 turn; attribute vec3 tone;
  varying vec2 vAt; varying vec3 vTone; varying mat3 vTurn;
  void main() {
    vec4 q = turn;
    mat3 rotation = mat3(
      1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y),
      2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x),
      2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    float unit = length(modelViewMatrix[0].xyz);
    vTurn = mat3(modelViewMatrix) / unit * rotation;
    vAt = corner; vTone = tone;
    vec4 at = modelViewMatrix * vec4(ball.xyz, 1.0);
    at.xy += corner * ball.w * unit;
    gl_Position = projectionMatrix * at;
  }`;

// In the last line stands the transfer function of sRGB by a root, which is cheaper than a power, and right to a hundredth.
const fragment = `
  varying vec2 vAt; varying vec3 vTone; varying mat3 vTurn;
  uniform vec3 sun; uniform float sunPower; uniform vec3 up; uniform float skyPower; uniform vec3 soil; uniform float opacity;
  void main() {
    float d = dot(vAt, vAt);
    if (d > 1.0) discard;
    vec3 n = vec3(vAt, sqrt(1.0 - d));
    vec3 local = n * vTurn; // the transpose times n
    vec3 albedo = vTone * (local.x * local.y * local.z < 0.0 ? 0.74 : 1.0);
    vec3 light = mix(soil, vec3(1.0), 0.5 + 0.5 * dot(n, up)) * skyPower + max(dot(n, sun), 0.0) * sunPower;
    vec3 x = clamp(albedo * light * 0.31831, 0.0, 1.0), root = sqrt(x);
    gl_FragColor = vec4(1.13 * root - 0.13 * x, opacity);
  }`;

/** Spheres beyond this number are drawn in this way. */
export const manyBalls = 200;

const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];

export class Balls extends THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> {
  private readonly place: THREE.BufferAttribute;
  private readonly turn: THREE.BufferAttribute;
  private readonly tone: THREE.BufferAttribute;

  constructor(private readonly balls: number, opacity: number) {
    const geometry = new THREE.BufferGeometry();
    const add = (name: string, size: number): THREE.BufferAttribute => {
      const attribute = new THREE.BufferAttribute(new Float32Array(4 * balls * size), size).setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
      return attribute;
    };
    const faces: number[] = [];
    const corner = add("corner", 2);
    for (let i = 0; i < balls; i++) {
      corners.forEach(([x, y], k) => corner.setXY(4 * i + k, x, y));
      faces.push(4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3);
    }
    geometry.setIndex(faces);
    super(geometry, new THREE.ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, transparent: opacity < 1, depthWrite: opacity >= 1,
      uniforms: { sun: { value: new THREE.Vector3() }, sunPower: { value: 1 }, up: { value: new THREE.Vector3() }, skyPower: { value: 1 }, soil: { value: new THREE.Color() }, opacity: { value: opacity } },
    }));
    [this.place, this.turn, this.tone] = [add("ball", 4), add("turn", 4), add("tone", 3)];
    this.frustumCulled = false;
    // The lights of the scene, as seen by the camera of this frame.
    this.onBeforeRender = (_, scene, camera) => {
      const { uniforms } = this.material;
      for (const light of scene.children) {
        if (light instanceof THREE.DirectionalLight) {
          uniforms.sun.value.copy(light.position).transformDirection(camera.matrixWorldInverse);
          uniforms.sunPower.value = light.intensity;
        } else if (light instanceof THREE.HemisphereLight) {
          uniforms.up.value.copy(light.position).transformDirection(camera.matrixWorldInverse);
          uniforms.skyPower.value = light.intensity;
          uniforms.soil.value.copy(light.groundColor);
        }
      }
    };
  }

  setBall(i: number, at: THREE.Vector3, turn: THREE.Quaternion, radius: number): void {
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      this.place.setXYZW(k, at.x, at.y, at.z, radius);
      this.turn.setXYZW(k, turn.x, turn.y, turn.z, turn.w);
    }
    this.place.needsUpdate = this.turn.needsUpdate = true;
  }

  setColorAt(i: number, shade: THREE.Color): void {
    for (let k = 4 * i; k < 4 * i + 4; k++) this.tone.setXYZ(k, shade.r, shade.g, shade.b);
    this.tone.needsUpdate = true;
  }

  /** The spheres that a ray meets, rather than the squares. */
  override raycast(raycaster: THREE.Raycaster, found: THREE.Intersection[]): void {
    const ball = new THREE.Sphere();
    const point = new THREE.Vector3();
    const scale = this.matrixWorld.getMaxScaleOnAxis();
    for (let i = 0; i < this.balls; i++) {
      ball.center.fromBufferAttribute(this.place, 4 * i).applyMatrix4(this.matrixWorld);
      ball.radius = this.place.getW(4 * i) * scale;
      if (raycaster.ray.intersectSphere(ball, point)) found.push({ distance: raycaster.ray.origin.distanceTo(point), point: point.clone(), object: this, instanceId: i });
    }
  }
}
