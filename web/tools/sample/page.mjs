// Pages without nsmc view: values into the form of the contract, and the contract into the page. For trying and testing the page alone.
import { readFileSync, writeFileSync } from "node:fs";

export function base64(array) {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
}

/** Columns by name; `channel(name)` is their place. */
export class Table {
  constructor(t) {
    this.t = Float64Array.from(t);
    this.columns = [];
    this.values = [];
  }
  get rows() {
    return this.t.length;
  }
  add(name, values, { unit = "", doc = "", hidden = false } = {}) {
    this.columns.push({ name, unit, doc, hidden });
    this.values.push(Float32Array.from(values));
    return { c: this.columns.length - 1 };
  }
  compute(name, of, options) {
    return this.add(name, Array.from({ length: this.rows }, (_, row) => of(row)), options);
  }
  hidden(name, of) {
    return this.compute(name, of, { hidden: true });
  }
  channel(name) {
    const c = this.columns.findIndex((column) => column.name === name);
    if (c < 0) throw new Error(`no column ${name}`);
    return { c };
  }
  at(name, row) {
    return this.values[this.channel(name).c][row];
  }
  run(extra = {}) {
    const data = new Float32Array(this.columns.length * this.rows);
    this.values.forEach((column, i) => data.set(column, i * this.rows));
    return { label: "", overrides: {}, columns: this.columns, rows: this.rows, t: base64(this.t), data: base64(data), events: [], summary: "", warnings: [], ...extra };
  }
}

export function fromCsv(text, units = () => "") {
  const [head, ...lines] = text.trim().split("\n");
  const names = head.split(",");
  const rows = lines.map((line) => line.split(",").map(Number));
  const table = new Table(rows.map((row) => row[0]));
  names.slice(1).forEach((name, i) => table.add(name, rows.map((row) => row[i + 1]), units(name)));
  return table;
}

export function writePage(template, data, file) {
  const json = JSON.stringify(data).replace(/<\//g, "<\\/").replace(/<!--/g, "\\u003c!--");
  writeFileSync(file, readFileSync(template, "utf8").replace("NSMC_DATA", () => json));
}

/** A body of revolution about the third axis: radius(s), height(s) for s from 0 to 1, as points and triangles. */
export function revolution(profile, around = 28, along = 16) {
  const points = [];
  const triangles = [];
  for (let j = 0; j <= along; j++) {
    const [r, z] = profile(j / along);
    for (let i = 0; i < around; i++) points.push([r * Math.cos((2 * Math.PI * i) / around), r * Math.sin((2 * Math.PI * i) / around), z]);
  }
  for (let j = 0; j < along; j++) {
    for (let i = 0; i < around; i++) {
      const [a, b] = [j * around + i, j * around + ((i + 1) % around)];
      triangles.push([a, b, b + around], [a, b + around, a + around]);
    }
  }
  return { points, triangles };
}

export function ring(radius, n = 72) {
  return Array.from({ length: n }, (_, i) => radius((2 * Math.PI * i) / n));
}
