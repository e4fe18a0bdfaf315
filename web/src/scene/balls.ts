// Hundreds of balls: each is one square towards the camera on which a ball is painted, four corners instead of hundreds. In software
// rendering the corners are what takes the time. They are round at every size, and cast no shadows.
import * as THREE from "three";

const vertex = `
  attribute vec3 tone;
  varying vec2 vAt; varying vec3 vTone; varying mat3 vTurn;
  void main() {
    mat4 place = modelViewMatrix * instanceMatrix;
    float radius = length(place[0].xyz);
    vTurn = mat3(place) / radius;
    vAt = position.xy; vTone = tone;
    vec4 at = place * vec4(0.0, 0.0, 0.0, 1.0);
    at.xy += position.xy * radius;
    gl_Position = projectionMatrix * at;
  }`;

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
    gl_FragColor = vec4(albedo * light * 0.31831, opacity);
    #include <colorspace_fragment>
  }`;

/** Spheres beyond this number are drawn in this way. */
export const manyBalls = 200;

export class Balls extends THREE.InstancedMesh<THREE.BufferGeometry, THREE.ShaderMaterial> {
  constructor(count: number, opacity: number) {
    const geometry = new THREE.PlaneGeometry(2, 2);
    geometry.deleteAttribute("normal");
    geometry.deleteAttribute("uv");
    geometry.setAttribute("tone", new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3));
    super(geometry, new THREE.ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, transparent: opacity < 1, depthWrite: opacity >= 1,
      uniforms: { sun: { value: new THREE.Vector3() }, sunPower: { value: 1 }, up: { value: new THREE.Vector3() }, skyPower: { value: 1 }, soil: { value: new THREE.Color() }, opacity: { value: opacity } },
    }), count);
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

  override setColorAt(i: number, shade: THREE.Color): this {
    const tone = this.geometry.getAttribute("tone") as THREE.InstancedBufferAttribute;
    tone.setXYZ(i, shade.r, shade.g, shade.b);
    tone.needsUpdate = true;
    return this;
  }

  /** The spheres that a ray meets, rather than the squares. */
  override raycast(raycaster: THREE.Raycaster, found: THREE.Intersection[]): void {
    const ball = new THREE.Sphere();
    const point = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    for (let i = 0; i < this.count; i++) {
      this.getMatrixAt(i, matrix);
      matrix.premultiply(this.matrixWorld);
      ball.center.setFromMatrixPosition(matrix);
      ball.radius = matrix.getMaxScaleOnAxis();
      if (raycaster.ray.intersectSphere(ball, point)) found.push({ distance: raycaster.ray.origin.distanceTo(point), point: point.clone(), object: this, instanceId: i });
    }
  }
}
