// node tools/sample/make.mjs [--nsmc PROGRAM] [--models FOLDER] [--template view.html] OUT_FOLDER [NAME...]
// Pages of every kind without nsmc view: tippe_top (runs of nsmc with a scene made by hand), vary, two_set, planar, spheres, large,
// study, plain. The tests open them; a page that nsmc view writes has the same form.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromCsv, revolution, ring, Table, writePage } from "./page.mjs";

const web = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const options = { nsmc: join(web, "..", "build", "nsmc"), models: join(web, "..", "models"), template: join(web, "dist", "view.html") };
const rest = [];
for (let i = 2; i < process.argv.length; i++) {
  const name = process.argv[i].replace(/^--/, "");
  if (process.argv[i].startsWith("--") && name in options) options[name] = process.argv[++i];
  else rest.push(process.argv[i]);
}
const [out, ...wanted] = rest;
if (!out) throw new Error("usage: make.mjs [--nsmc PROGRAM] [--models FOLDER] [--template FILE] OUT_FOLDER [NAME...]");

const work = mkdtempSync(join(tmpdir(), "nsmc-sample-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

function nsmc(...args) {
  return execFileSync(options.nsmc, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

function simulated(model, units, ...args) {
  const csv = join(work, "run.csv");
  const file = join(options.models, `${model}.nsm`);
  const summary = execFileSync("sh", ["-c", 'exec "$@" 2>&1', "sh", options.nsmc, "run", file, "-o", csv, ...args], { encoding: "utf8" });
  return { table: fromCsv(readFileSync(csv, "utf8"), units), summary: summary.replace(/^.*written.*\n/m, "") };
}

function modelOf(name, parameters, extra = {}) {
  const file = join(options.models, `${name}.nsm`);
  const text = readFileSync(file, "utf8");
  return { name, doc: /model \w+ "([^"]*)"/.exec(text)?.[1] ?? "", planar: false, sources: [{ file: `${name}.nsm`, text }], latex: nsmc("emit", file, "--latex"), parameters, ...extra };
}

// `param m = 6 [g] "mass"` of the source, as far as a pattern sees it.
function parametersOf(name) {
  const text = readFileSync(join(options.models, `${name}.nsm`), "utf8");
  return [...text.matchAll(/^param (\w+) = ([^[\n"]+?)\s*(?:\[([^\]]*)\])?\s*(?:"([^"]*)")?$/gm)].map(([, parameter, value, unit, doc]) => ({ name: parameter, value: Number(value), unit: unit ?? "", doc: doc ?? "", expression: value.trim() }));
}

const unitByName = (name) => {
  const unit = /position|^q\d$|gap$/.test(name) ? "m" : /velocity$|velocity\[|^speed$/.test(name) ? "m/s" : /spin/.test(name) ? "rad/s" : /\.[NT](\[|$)/.test(name) ? "N" : /tau/.test(name) ? "N m" : /energy|dissipated/.test(name) ? "J" : /inclination/.test(name) ? "rad" : "";
  const doc = { inclination: "angle between the axis and the vertical", spin_rate: "angular velocity about the vertical", energy: "kinetic and potential energy", speed: "speed" }[name] ?? "";
  return { unit, doc };
};

const rotate = ([w, x, y, z], [a, b, c]) => {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
};

function tippeTop() {
  const { table, summary } = simulated("tippe_top", unitByName);
  const [a1, a2, r1, r2, mu, R] = [0.003, 0.016, 0.015, 0.005, 0.3, 0.0005];
  const vector = (name, row, n = 3) => Array.from({ length: n }, (_, i) => table.at(`${name}[${i + 1}]`, row));
  const centre = (a, row) => rotate(vector("top.quaternion", row, 4), [0, 0, a]).map((x, i) => x + vector("top.position", row)[i]);
  const place = (name, of) => [0, 1, 2].map((axis) => table.hidden(`${name}[${axis + 1}]`, (row) => of(row)[axis]));
  const items = [];
  const contacts = [];
  const orientation = [1, 2, 3, 4].map((i) => table.channel(`top.quaternion[${i}]`));
  for (const [shape, contact, a, r] of [["ball", "head", a1, r1], ["stick", "tip", a2, r2]]) {
    items.push({ name: shape, kind: "sphere", radius: r, position: place(`${shape} centre`, (row) => centre(a, row)), orientation, color: null, body: "top" });
    const point = (row) => [centre(a, row)[0], centre(a, row)[1], 0];
    // The velocity of the point of the body that touches: v + omega x (point - centre of mass), omega in the body's frame.
    const slip = (row) => {
      const omega = rotate(vector("top.quaternion", row, 4), vector("top.spin", row));
      const [x, y, z] = point(row).map((p, i) => (i === 2 ? centre(a, row)[2] - r : p) - vector("top.position", row)[i]);
      const v = vector("top.velocity", row);
      return [v[0] + omega[1] * z - omega[2] * y, v[1] + omega[2] * x - omega[0] * z, omega[2]];
    };
    const velocity = [0, 1, 2].map((axis) => table.hidden(`${contact} slip ${axis}`, (row) => slip(row)[axis]));
    const channel = (name) => table.channel(`${contact}.${name}`);
    const extent = (3 * Math.PI * R) / 16;
    contacts.push({
      name: contact, bodies: ["top", null], point: place(`${contact} point`, point), normal: [0, 0, 1], tangents: [[1, 0, 0], [0, 1, 0]],
      closed: table.hidden(`${contact} closed`, (row) => (table.at(`${contact}.N`, row) > 0 ? 1 : 0)), gap: channel("gap"), N: channel("N"), T: [channel("T[1]"), channel("T[2]")], drill: channel("tau"), roll: null,
      laws: [{ name: "coulomb_contensou", text: "[slip, spin] in normal_cone(contensou(mu*N, R), -[T, tau])", dim: 3, axes: ["T[1]", "T[2]", "tau"], units: ["N", "N", "N m"],
        force: [channel("T[1]"), channel("T[2]"), channel("tau")], velocity,
        sets: [{ role: "both", boundary: { ...revolution((s) => [mu * Math.sin(Math.PI * s) ** 0.8, mu * extent * Math.cos(Math.PI * (1 - s))]), scale: channel("N"), offset: null } }] }],
    });
  }
  items.push({ name: "floor", kind: "plane", position: [0, 0, 0], orientation: null, color: null, body: null });
  const events = [];
  for (let row = 1; row < table.rows; row++) {
    for (const contact of ["head", "tip"]) {
      const [before, now] = [row - 1, row].map((r) => table.at(`${contact}.N`, r) > 0);
      if (before !== now) events.push({ t: table.t[row], contact, kind: now ? "impact" : "opens" });
    }
  }
  return { format: 1, program: "sample", model: modelOf("tippe_top", parametersOf("tippe_top"), { gravity: [0, 0, -9.81] }), scene: { items, contacts, springs: [], joints: [] }, runs: [table.run({ label: "", summary, events })] };
}

function slider(model, sets, args = [], label = "", overrides = {}) {
  const { table, summary } = simulated(model, unitByName, ...args);
  const q = [table.channel("q1"), table.channel("q2"), 0];
  const derivative = (name) => table.hidden(`${name}'`, (row) => {
    const [a, b] = [Math.max(0, row - 1), Math.min(table.rows - 1, row + 1)];
    return (table.at(name, b) - table.at(name, a)) / (table.t[b] - table.t[a]);
  });
  const velocity = [derivative("q1"), derivative("q2")];
  const force = [1, 2].map((i) => table.channel(`surface.T[${i}]`));
  const scene = {
    items: [{ name: "mass", kind: "circle", radius: 0.012, position: q, orientation: null, color: null, body: "mass" }, { name: "path", kind: "trace", position: q, color: null, body: "mass" }],
    contacts: [{ name: "surface", bodies: ["mass", null], point: q, normal: null, tangents: [[1, 0, 0], [0, 1, 0]], closed: null, gap: null, N: null, T: force, drill: null, roll: null,
      laws: [{ name: model.replace("slider_", ""), text: "slip in normal_cone(C, -T)", dim: 2, axes: ["T[1]", "T[2]"], units: ["N", "N"], force, velocity, sets }] }],
    springs: [], joints: [],
  };
  return { scene, run: table.run({ label, summary, overrides }) };
}

const ellipse = (a, b) => ({ points: ring((s) => [a * Math.cos(s), b * Math.sin(s)]), scale: 1, offset: null });

function twoSet() {
  const { scene, run } = slider("slider_two_set", [{ role: "reservoir", boundary: ellipse(5.886, 2.943) }, { role: "slip", boundary: ellipse(2.943, 2.943) }]);
  return { format: 1, program: "sample", model: modelOf("slider_two_set", parametersOf("slider_two_set"), { planar: true }), scene, runs: [run] };
}

function vary() {
  const runs = [0.15, 0.3, 0.45, 0.6].map((mu) => {
    const { scene, run } = slider("slider_ellipse", [{ role: "both", boundary: ellipse(5.886, 9.81 * mu) }], ["--set", `mu2=${mu}`], `mu2 = ${mu}`, { mu2: String(mu) });
    return { ...run, scene };
  });
  return { format: 1, program: "sample", model: modelOf("slider_ellipse", parametersOf("slider_ellipse"), { planar: true }), scene: null, runs };
}

// A block on a spring that is pulled over a rough floor in the plane: one-dimensional friction, a joint, a spring, a text.
function planar() {
  const n = 900;
  const dt = 0.01;
  const table = new Table(Array.from({ length: n }, (_, i) => i * dt));
  let [x, v, T, limit] = [0, 0, 0, 0.3 * 9.81];
  const rows = [];
  for (let i = 0; i < n; i++) {
    rows.push([x, v, T, limit]);
    for (let k = 0; k < 20; k++) {
      const pull = 30 * (0.05 * (i * dt) - x);
      limit = 0.3 * 9.81 * (Math.abs(v) < 1e-4 ? 1 : 0.55);
      const free = v + (pull * dt) / 20;
      T = Math.max(-limit, Math.min(limit, -free / (dt / 20)));
      v = free + (T * dt) / 20;
      if (Math.abs(v) < 1e-12) v = 0;
      x += (v * dt) / 20;
    }
  }
  const X = table.compute("x", (i) => rows[i][0], { unit: "m", doc: "place of the block" });
  const V = table.compute("v", (i) => rows[i][1], { unit: "m/s", doc: "velocity of the block" });
  const F = table.compute("floor.T", (i) => rows[i][2], { unit: "N" });
  const N = table.compute("floor.N", () => 9.81, { unit: "N" });
  const S = table.hidden("pull", (i) => 0.3 + 0.05 * i * dt);
  const wall = table.hidden("side", (i) => rows[i][0] + 0.08);
  const energy = table.compute("energy", (i) => rows[i][1] ** 2 / 2 + 15 * (0.05 * i * dt - rows[i][0]) ** 2, { unit: "J" });
  void energy;
  const table2 = Math.SQRT1_2;
  return {
    format: 1, program: "sample", model: { name: "stick_slip", doc: "A block is pulled by a spring", planar: true, gravity: [0, -9.81, 0], parameters: [{ name: "k", unit: "N/m", value: 30, doc: "stiffness" }, { name: "mu", unit: "", value: 0.3, doc: "friction coefficient" }],
      sources: [{ file: "stick_slip.nsm", text: "model stick_slip \"A block is pulled by a spring\"\nparam k = 30 [N/m] \"stiffness\"\ncoord x [m] = 0\n" }], latex: "" },
    scene: {
      items: [
        { name: "floor", kind: "plane", position: [0, 0, 0], orientation: [table2, -table2, 0, 0], color: null, body: null },
        { name: "block", kind: "polygon", points: [[-0.08, 0], [0.08, 0], [0.08, 0.1], [-0.08, 0.1]], position: [X, 0, 0], orientation: [1, 0, 0, 0], color: null, body: "block" },
        { name: "hand", kind: "circle", radius: 0.015, position: [S, 0.05, 0], orientation: null, color: "tomato", body: "hand" },
        { name: "caption", kind: "text", text: "pulled", position: [S, 0.1, 0], color: null, body: null },
      ],
      springs: [{ name: "spring", kind: "spring", points: [[wall, 0.05, 0], [S, 0.05, 0]], color: null, body: null }],
      joints: [{ name: "grip", kind: "revolute", position: [S, 0.05, 0], axis: [0, 0, 1] }],
      contacts: [{ name: "floor", bodies: ["block", null], point: [X, 0, 0], normal: [0, 1, 0], tangents: [[1, 0, 0]], closed: 1, gap: 0, N, T: [F], drill: null, roll: null,
        laws: [{ name: "coulomb", text: "slip in normal_cone(interval(-mu*N, mu*N), -T)", dim: 1, axes: ["T"], units: ["N"], force: [F], velocity: [V], sets: [{ role: "both", boundary: { points: [[-1], [1]], scale: table.hidden("limit", (i) => rows[i][3]), offset: null } }] }] }],
    },
    runs: [table.run({ label: "", summary: "stick_slip: 18000 steps of 5e-04 s", warnings: [{ code: "W101", message: "an example of a warning" }] })],
  };
}

// Spheres in a box that bounce without seeing each other: a page for measuring the frame rate.
function spheres(count, rows) {
  const table = new Table(Array.from({ length: rows }, (_, i) => i * 0.01));
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const items = [{ name: "floor", kind: "plane", position: [0, 0, 0], orientation: null, color: null, body: null }];
  for (let b = 0; b < count; b++) {
    const r = 0.02 + 0.015 * random();
    const [x, y, z0, vx, vy, w] = [2 * random() - 1, 2 * random() - 1, 0.3 + 1.5 * random(), 0.4 * (random() - 0.5), 0.4 * (random() - 0.5), 6 * random()];
    let [z, v] = [z0, 0];
    const heights = Array.from({ length: rows }, () => {
      v -= 9.81 * 0.01;
      z += v * 0.01;
      if (z < r) [z, v] = [r, Math.abs(v) * 0.85];
      return z;
    });
    const position = [table.hidden(`b${b}x`, (i) => x + vx * table.t[i]), table.hidden(`b${b}y`, (i) => y + vy * table.t[i]), table.add(`ball[${b + 1}].z`, heights, { unit: "m" })];
    const orientation = [table.hidden(`b${b}c`, (i) => Math.cos((w * table.t[i]) / 2)), table.hidden(`b${b}s`, (i) => Math.sin((w * table.t[i]) / 2)), 0, 0];
    items.push({ name: `skin[${b + 1}]`, kind: "sphere", radius: r, position, orientation, color: null, body: `ball[${b + 1}]` });
  }
  return { format: 1, program: "sample", model: { name: `spheres_${count}`, doc: `${count} balls on a floor`, planar: false, gravity: [0, 0, -9.81], parameters: [], sources: [], latex: "" },
    scene: { items, contacts: [], springs: [], joints: [] }, runs: [table.run({ summary: "synthetic" })] };
}

function study() {
  const mu = Array.from({ length: 12 }, (_, i) => 0.05 * (i + 1));
  const e = Array.from({ length: 9 }, (_, i) => 0.1 * i);
  const rows = mu.flatMap((m) => e.map((r) => {
    const failed = m > 0.5 && r > 0.65;
    return { point: [m, r], values: failed ? [null, null] : [Math.exp(-4 * m) * (1 + r ** 2), 40 + 200 * m * r], status: failed ? "did not converge" : "ok", failed };
  }));
  return { format: 1, program: "sample", model: { name: "bouncing_ball", doc: "A study of friction and restitution", parameters: [{ name: "mu", unit: "", value: 0.3, doc: "friction" }] }, scene: null, runs: [],
    study: { axes: [{ name: "mu", unit: "", values: mu }, { name: "e", unit: "", values: e }], measures: ["max(z)", "iterations"], rows } };
}

// A model without anything to draw: plots and documents alone.
function plain() {
  const { table, summary } = simulated("two_masses", unitByName);
  return { format: 1, program: "sample", model: modelOf("two_masses", parametersOf("two_masses")), scene: { items: [], contacts: [] }, runs: [table.run({ summary })] };
}

const pages = { tippe_top: tippeTop, two_set: twoSet, vary, planar, spheres: () => spheres(1000, 1000), large: () => spheres(1600, 1200), study, plain };
mkdirSync(out, { recursive: true });
for (const name of wanted.length ? wanted : Object.keys(pages).filter((one) => one !== "large")) {
  const file = join(out, `${name}.html`);
  writePage(options.template, pages[name](), file);
  console.log(file);
}
