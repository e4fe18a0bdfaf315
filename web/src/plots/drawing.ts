// A plot as SVG for a paper: black on white, the ranges that are seen, names and units at the axes.
import { number, roundBelow } from "../data/numbers";
import type { Plot } from "./plot";

const width = 640;
const height = 400;
const margin = { left: 74, right: 74, top: 18, bottom: 50 };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] as string);
}

function ticks([low, high]: [number, number], about: number): number[] {
  const step = roundBelow(((high - low) / about) * 1.6);
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

export function plotDrawing(plot: Plot, xLabel: string): string {
  const ranges = plot.ranges();
  const inner = { left: margin.left, right: width - (plot.units.length > 1 ? margin.right : 20), top: margin.top + 18 * Math.ceil(plot.curves.length / 4), bottom: height - margin.bottom };
  const place = (value: number, [low, high]: [number, number], from: number, to: number): number => from + ((value - low) / (high - low)) * (to - from);
  const x = (value: number): number => place(value, ranges.x, inner.left, inner.right);
  const out: string[] = [];
  const text = (px: number, py: number, content: string, anchor: string, rest = ""): void => {
    out.push(`<text x="${px.toFixed(1)}" y="${py.toFixed(1)}" text-anchor="${anchor}" ${rest}>${escaped(content)}</text>`);
  };
  for (const value of ticks(ranges.x, 8)) {
    out.push(`<path d="M${x(value).toFixed(2)},${inner.bottom}v5" stroke="#444"/>`);
    text(x(value), inner.bottom + 19, number(value, 6), "middle");
  }
  text((inner.left + inner.right) / 2, height - 10, xLabel, "middle");
  plot.units.slice(0, 2).forEach((unit, i) => {
    const range = ranges[`y${i}`];
    const edge = i === 0 ? inner.left : inner.right;
    for (const value of ticks(range, 6)) {
      const py = place(value, range, inner.bottom, inner.top);
      out.push(`<path d="M${edge},${py.toFixed(2)}h${i === 0 ? -5 : 5}" stroke="#444"/>`);
      text(edge + (i === 0 ? -9 : 9), py + 4, number(value, 6), i === 0 ? "end" : "start");
    }
    const middle = (inner.top + inner.bottom) / 2;
    const at = i === 0 ? 16 : width - 10;
    if (unit) text(at, middle, `[${unit}]`, "middle", `transform="rotate(-90 ${at} ${middle})"`);
  });
  out.push(`<clipPath id="c"><rect x="${inner.left}" y="${inner.top}" width="${inner.right - inner.left}" height="${inner.bottom - inner.top}"/></clipPath>`);
  const several = new Set(plot.curves.map((curve) => curve.run)).size > 1;
  plot.curves.forEach((curve, k) => {
    const range = ranges[plot.scaleOf(curve)];
    let path = "";
    let pen = false;
    for (let i = 0; i < curve.x.length; i++) {
      if (!Number.isFinite(curve.y[i])) {
        pen = false;
        continue;
      }
      path += `${pen ? "L" : "M"}${x(curve.x[i]).toFixed(2)},${place(curve.y[i], range, inner.bottom, inner.top).toFixed(2)}`;
      pen = true;
    }
    const style = `stroke="${curve.color()}" fill="none" stroke-width="1.5"${curve.dash.length ? ` stroke-dasharray="${curve.dash.join(" ")}"` : ""}`;
    out.push(`<path d="${path}" ${style} stroke-linejoin="round" clip-path="url(#c)"/>`);
    const lx = inner.left + (k % 4) * 140;
    const ly = margin.top + 18 * Math.floor(k / 4) - 4;
    out.push(`<path d="M${lx},${ly - 4}h20" ${style}/>`);
    text(lx + 26, ly, several ? `${curve.name}, ${curve.run.label}` : curve.name, "start");
  });
  out.push(`<rect x="${inner.left}" y="${inner.top}" width="${inner.right - inner.left}" height="${inner.bottom - inner.top}" fill="none" stroke="#444"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Inter, Helvetica, Arial, sans-serif" font-size="12" fill="#222">` +
    `<rect width="${width}" height="${height}" fill="#fff"/>${out.join("")}</svg>\n`;
}
