// Matt surfaces with quarters in two shades, so that a turning ball is seen to turn.
import * as THREE from "three";

export type Pattern = "octants" | "quarters" | "none";

const marks: Record<Pattern, string> = {
  // Eight parts of a ball, four of a cylinder: the sign of a product of local coordinates, smoothed over a pixel.
  octants: "float mark = vLocal.x * vLocal.y * vLocal.z * 9.0;",
  quarters: "float mark = vLocal.x * vLocal.y * 4.0;",
  none: "float mark = 1.0;",
};

export function surface(pattern: Pattern, opacity = 1): THREE.MeshLambertMaterial {
  const material = new THREE.MeshLambertMaterial({ color: 0xffffff, transparent: opacity < 1, opacity, depthWrite: opacity >= 1 });
  if (pattern === "none") return material;
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vLocal;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLocal = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vLocal;")
      .replace("#include <color_fragment>", `#include <color_fragment>
        ${marks[pattern]}
        float soft = max(fwidth(mark), 1e-5);
        diffuseColor.rgb *= mix(0.74, 1.0, smoothstep(-soft, soft, mark));`);
  };
  material.customProgramCacheKey = () => `nsmc-${pattern}`;
  return material;
}

const named = /^[a-z]+$/i;

/** A colour that the model names, or null where it is none. */
export function parsed(color: string | null | undefined): THREE.Color | null {
  if (!color) return null;
  if (/^#[0-9a-f]{6}$/i.test(color) || /^#[0-9a-f]{3}$/i.test(color)) return new THREE.Color(color);
  if (named.test(color) && color.toLowerCase() in THREE.Color.NAMES) return new THREE.Color(color.toLowerCase());
  return null;
}
