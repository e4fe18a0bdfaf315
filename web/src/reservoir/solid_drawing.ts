// A body of forces as a drawing for a paper: its triangles from the far side to the near one, shaded as light falls on them.
import { svg } from "../app/dom";
import { color } from "../app/theme";
import type { ForceSet } from "../data/contract";

/** A place in the picture, and its depth: larger is further away. */
type Place = [number, number, number];

export interface SolidPicture {
  width: number;
  height: number;
  bodies: { role: ForceSet["role"]; triangles: number[][]; corners: Place[] }[];
  /** Axes and their ticks. */
  segments: Place[][];
  labels: { text: string; axis: boolean; at: [number, number] }[];
  trail: Place[];
  force: Place;
  velocity: Place | null;
  ink: string;
}

const line = (points: Place[]): string => points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`).join("");

// Each half of the body: those that are seen from behind, and those in front of all that is inside.
function faces({ role, triangles, corners }: SolidPicture["bodies"][number]): { far: SVGElement[]; near: SVGElement[] } {
  const shade = color(role === "slip" ? "--set-slip" : "--set");
  const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis] / corners.length, 0));
  const size = Math.max(1e-9, ...corners.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1])));
  const drawn = triangles.map((triangle) => {
    const [a, b, c] = triangle.map((k) => corners[k]);
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    return { points: [a, b, c], area, depth: (a[2] + b[2] + c[2]) / 3 };
  });
  // Which way triangles turn that face the reader is told by the nearest of them.
  const nearest = drawn.reduce((best, one) => (one.depth < best.depth && Math.abs(one.area) > 1e-6 ? one : best), { points: [] as Place[], area: 1, depth: Infinity });
  const front = Math.sign(nearest.area);
  const paint = (one: (typeof drawn)[number], near: boolean): SVGElement => {
    const [a, b, c] = one.points;
    // Light from above at the left: the middle of the triangle against that of the body tells where it looks.
    const light = 0.5 + 0.5 * Math.max(-1, Math.min(1, ((middle[1] - (a[1] + b[1] + c[1]) / 3) * 0.8 + (middle[0] - (a[0] + b[0] + c[0]) / 3) * 0.4) / size));
    return svg("path", { d: `${line(one.points)}Z`, fill: shade, "fill-opacity": near ? (0.46 - 0.3 * light).toFixed(3) : "0.12", stroke: shade, "stroke-opacity": "0.1", "stroke-width": "0.4", "stroke-linejoin": "round" });
  };
  drawn.sort((p, q) => q.depth - p.depth);
  const isNear = (one: (typeof drawn)[number]): boolean => Math.sign(one.area) === front;
  return { far: drawn.filter((one) => !isNear(one)).map((one) => paint(one, false)), near: drawn.filter(isNear).map((one) => paint(one, true)) };
}

export function solidDrawing(picture: SolidPicture): SVGSVGElement {
  const { width, height, ink, force } = picture;
  const bodies = picture.bodies.map(faces);
  const parts: SVGElement[] = [
    ...picture.segments.map((segment) => svg("path", { d: line(segment), fill: "none", stroke: color("--muted"), "stroke-opacity": "0.6" })),
    ...bodies.flatMap((body) => body.far),
    svg("path", { d: line(picture.trail), fill: "none", stroke: ink, "stroke-opacity": "0.5" }),
    svg("circle", { cx: force[0].toFixed(1), cy: force[1].toFixed(1), r: 5, fill: ink }),
    ...bodies.flatMap((body) => body.near),
  ];
  if (picture.velocity) {
    const [x, y] = picture.velocity;
    const length = Math.hypot(x - force[0], y - force[1]) || 1;
    const [dx, dy] = [(x - force[0]) / length, (y - force[1]) / length];
    const head: Place[] = [[x + 6 * dx, y + 6 * dy, 0], [x - 3 * dx - 3.5 * dy, y - 3 * dy + 3.5 * dx, 0], [x - 3 * dx + 3.5 * dy, y - 3 * dy - 3.5 * dx, 0]];
    parts.push(svg("path", { d: line([force, picture.velocity]), stroke: ink, "stroke-width": 2, fill: "none" }), svg("path", { d: `${line(head)}Z`, fill: ink }));
  }
  for (const { text, axis, at } of picture.labels) {
    parts.push(svg("text", { x: at[0], y: at[1] + 4, "text-anchor": "middle", "font-family": "Inter, Helvetica, sans-serif", "font-size": axis ? 12 : 10.5, fill: color(axis ? "--ink" : "--muted") }, text));
  }
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height }, svg("rect", { width, height, fill: color("--panel") }), ...parts);
}
