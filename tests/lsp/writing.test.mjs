// Diagnostics, hover, definition and completion, as an editor asks for them.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { Editor, folder, position, program, within } from "./client.mjs";

const ball = `model ball "A ball"
param m = 100 [g] "its mass"
param e = 0.5
coord z [m] = 1 "height"
kinetic m/2*z'^2
potential m*9.81 [m/s^2]*z
contact floor {
  gap z
  law unilateral(restitution = e)
}
simulate { until 2 [s]  step 1 [ms] }
`;

test("an error appears while it is typed and goes when it is mended", async (t) => {
  const editor = new Editor(t);
  const capabilities = await editor.start();
  assert.equal(capabilities.positionEncoding, "utf-16");
  const { uri } = folder(t, {});
  await editor.open(uri("ball.nsm"), ball);
  await editor.clean(uri("ball.nsm"));

  const at = position(ball, ball.indexOf("m/2"));
  await editor.edit(uri("ball.nsm"), { start: at, end: { ...at, character: at.character + 1 } }, "mm");
  const [error] = await editor.until(uri("ball.nsm"), (list) => list.length === 1);
  assert.equal(error.code, "N0201");
  assert.equal(error.severity, 1);
  assert.equal(error.source, "nsmc");
  assert.match(error.message, /unknown name 'mm'\nhint: did you mean 'm'\?/);
  assert.deepEqual(error.range, { start: at, end: { ...at, character: at.character + 2 } });

  await editor.edit(uri("ball.nsm"), { start: at, end: { ...at, character: at.character + 2 } }, "m");
  await editor.clean(uri("ball.nsm"));
  // What only equations tell: a slip that is not linear.
  await editor.replace(uri("ball.nsm"), ball.replace("gap z\n", "gap z\n  slip z'^2\n"));
  const [derived] = await editor.until(uri("ball.nsm"), (list) => list.length === 1);
  assert.match(derived.message, /linear/);
  assert.equal(await editor.stop(), 0);
});

test("notes are places, and an error in the library is shown where the model calls it", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const { uri } = folder(t, {});
  await editor.open(uri("twice.nsm"), ball.replace("param e = 0.5", "param e = 0.5\nparam m = 1 [kg]"));
  const [twice] = await editor.until(uri("twice.nsm"), (list) => list.length > 0);
  assert.equal(twice.relatedInformation[0].location.uri, uri("twice.nsm"));
  assert.equal(twice.relatedInformation[0].location.range.start.line, 1);

  const text = ball.replace("unilateral(restitution = e)", "unilateral(restitution = m)");
  await editor.open(uri("law.nsm"), text);
  const list = await editor.until(uri("law.nsm"), (all) => all.length > 0);
  assert.ok(list.every((one) => one.range.start.line >= 6 && one.range.start.line <= 8), JSON.stringify(list));
  assert.equal([...editor.diagnostics.keys()].filter((one) => one.includes("std/")).length, 0);
});

test("an error in an import is told there, and taken back", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const good = "param e = 0.5\n";
  const files = folder(t, { "values.nsm": "param e = 0.5 [\n" });
  const main = ball.replace("param e = 0.5\n", 'import "values.nsm"\n');
  await editor.open(files.uri("ball.nsm"), main);
  const [error] = await editor.until(files.uri("values.nsm"), (list) => list.length === 1);
  assert.equal(error.code, "N0104");
  // Mended in the editor, unsaved.
  await editor.open(files.uri("values.nsm"), "param e = 0.5 [\n");
  await editor.replace(files.uri("values.nsm"), good);
  await editor.clean(files.uri("values.nsm"));
  await editor.clean(files.uri("ball.nsm"));
  // Broken in the editor, mended on the disk and closed.
  await editor.replace(files.uri("values.nsm"), "param f = 0.5\n");
  await editor.until(files.uri("ball.nsm"), (list) => list.length === 1);
  writeFileSync(files.path("values.nsm"), good);
  await editor.tell("textDocument/didClose", { textDocument: { uri: files.uri("values.nsm") } });
  await editor.clean(files.uri("ball.nsm"));
  // Changed on the disk by others.
  writeFileSync(files.path("values.nsm"), "param g = 1\n");
  await editor.tell("workspace/didChangeWatchedFiles", { changes: [{ uri: files.uri("values.nsm"), type: 2 }] });
  await editor.until(files.uri("ball.nsm"), (list) => list.length === 1);
  // A part of a model says nothing of what only the whole has.
  await editor.open(files.uri("laws.nsm"), "law mine(mu) {\n  force T[dim(slip)]\n  slip in normal_cone(ball(mu*N, dim(slip)), -T)\n}\n");
  await editor.clean(files.uri("laws.nsm"));
});

test("what is hovered over is explained", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const { uri } = folder(t, {});
  const name = uri("ball.nsm");
  await editor.open(name, ball);
  await editor.clean(name);
  const explain = async (marked) => (await editor.at(name, marked, "textDocument/hover"))?.contents.value ?? "";
  const hovered = (before, after) => ball.replace(before, after);
  assert.match(await explain(hovered("m/2", "m|/2")), /parameter m = 100 \[g\][^]*its mass[^]*in SI: 0.1/);
  assert.match(await explain(hovered("gap z", "gap |z")), /coordinate z \[m\][^]*height[^]*starts at 1/);
  assert.match(await explain(hovered("law unilateral", "law uni|lateral")), /law unilateral\(restitution = 0\)[^]*Signorini/);
  await editor.clean(name);
  assert.match(await explain(hovered("contact floor", "contact fl|oor")), /contact floor[^]*unilateral: gap' in normal_cone\(C, -N\) restitution e[^]*C = interval\(-inf, 0\)/);
  assert.match(await explain(hovered("kinetic", "kin|etic")), /kinetic energy/);
  assert.match(await explain(hovered("[m/s^2]", "[|m/s^2]")), /length/);
  assert.match(await explain(hovered("step 1", "st|ep 1")), /step size/);
  assert.match(await explain(ball + "output h = s|in(z/1 [m])\n"), /Sine/);
  assert.match(await explain(ball + "output F = floor.|N\n"), /force floor.N [^]*unilateral/);
  assert.equal(await explain(hovered("// none", "") + "// sin| of a comment\n"), "");
});

test("definitions are found, in imports and in the standard library", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const files = folder(t, { "values.nsm": "param e = 0.5\n" });
  const name = files.uri("ball.nsm");
  const text = ball.replace("param e = 0.5\n", 'import "values.nsm"\n');
  const found = (marked) => editor.at(name, marked, "textDocument/definition");
  const own = await found(text.replace("m*9.81", "|m*9.81"));
  assert.equal(own.uri, name);
  assert.equal(within(text, own.range), "m");
  const imported = await found(text.replace("= e)", "= |e)"));
  assert.deepEqual(imported, { uri: files.uri("values.nsm"), range: { start: { line: 0, character: 6 }, end: { line: 0, character: 7 } } });
  assert.equal((await found(text.replace("values.nsm", "val|ues.nsm"))).uri, files.uri("values.nsm"));
  const law = await found(text.replace("unilateral(", "uni|lateral("));
  assert.match(law.uri, /std\/laws\.nsm$/);
  assert.equal(within(readFileSync(fileURLToPath(law.uri), "utf8"), law.range), "unilateral");
  assert.equal(await found(text.replace("9.81", "9|.81")), null);
});

test("the standard library is found where no source is", async (t) => {
  const elsewhere = folder(t, {});
  copyFileSync(program, elsewhere.path("nsmc"));
  const editor = new Editor(t, { program: elsewhere.path("nsmc"), env: { NSMC_CACHE_DIR: elsewhere.path("cache") } });
  await editor.start();
  const { uri } = folder(t, {});
  const law = await editor.at(uri("ball.nsm"), ball.replace("unilateral(", "uni|lateral("), "textDocument/definition");
  assert.equal(fileURLToPath(law.uri), elsewhere.path("cache/std/laws.nsm"));
  assert.equal(within(readFileSync(fileURLToPath(law.uri), "utf8"), law.range), "unilateral");
});

test("what fits at a place is offered", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const { uri } = folder(t, {});
  const name = uri("ball.nsm");
  await editor.open(name, ball);
  await editor.clean(name);
  const offered = async (marked) => (await editor.at(name, marked, "textDocument/completion")).items.map((item) => item.label);
  const has = async (marked, wanted, unwanted = []) => {
    const labels = await offered(marked);
    for (const word of wanted) assert.ok(labels.includes(word), `${word} is missing in ${JSON.stringify(labels.slice(0, 20))}`);
    for (const word of unwanted) assert.ok(!labels.includes(word), `${word} does not belong there`);
  };
  await has(ball + "|", ["param", "contact", "simulate"], ["m", "sin", "gap"]);
  await has(ball + "kinetic |", ["m", "z", "sin", "pi"], ["kg", "param", "unilateral"]);
  await has(ball + "param q [|", ["kg", "mm", "N"], ["m" + "u", "sin"]);
  await has(ball + "output F = floor.|", ["N", "gap"], ["m", "sin"]);
  await has(ball.replace("law unilateral(restitution = e)", "law |"), ["unilateral", "coulomb"], ["sin", "z"]);
  await has(ball.replace("unilateral(restitution = e)", "coulomb(|"), ["mu = ", "restitution = ", "e"], ["param"]);
  await has(ball.replace("law unilateral(restitution = e)", "|"), ["law", "gap", "slip", "let"], ["param", "sin"]);
  await has(ball.replace("step 1 [ms]", "|"), ["method", "step", "accuracy"], ["param", "z"]);
  await has(ball.replace("step 1 [ms]", "method |"), ["moreau", "event"], ["step"]);
  await has(ball + "body b = |", ["rigid", "planar", "point"], ["sphere", "z"]);
  await has(ball + "body b = rigid(|", ["mass = ", "inertia = ", "m"], ["radius = "]);
  await has(ball + "body b = point(mass = m)\nshape s = sphere(radius = 1 [m]) on |", ["b"], ["z", "sin"]);
  await has(ball + "shape s = |", ["sphere", "box"], ["rigid"]);
  await has(ball + "joint j = revolute(|", ["world"], ["radius = ", "sin"]);
  await has(ball + "law mine(mu) {\n  force T\n  slip in normal_cone(|", ["disc", "ball", "gauge"], ["param"]);
  await has(ball + "law mine(mu) {\n  force T\n  slip in normal_cone(disc(|", ["mu", "T", "N", "z"], ["param"]);
  await has(ball + "fn f(x, y) = |", ["x", "y", "m", "sin"]);
  await has(ball + "coord q[i in 1..3] [m] = |", ["i", "m"]);
  await has(ball + 'draw d = sphere(m) at [z, z] color "|', ["red", "steelblue"], ["m"]);
  await has(ball + "spring s between z and z |", ["stiffness", "damping"], ["m"]);
  assert.deepEqual(await offered(ball + "param |"), []);
  assert.deepEqual(await offered(ball + "// ki|"), []);
  assert.deepEqual(await offered(ball + '"its |'), []);
  // The part of the word that was typed is replaced.
  const begun = ball + "output h = m + si|";
  const { items } = await editor.at(name, begun, "textDocument/completion");
  const sine = items.find((item) => item.label === "sin");
  assert.equal(within(begun.replace("|", ""), sine.textEdit.range), "si");
});
