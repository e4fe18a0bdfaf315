// Parts that need no browser: numbers for people, words of the source, types.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support.mjs";

const esbuild = createRequire(join(root, "web", "package.json"))("esbuild");
async function part(file) {
  const { outputFiles } = await esbuild.build({ entryPoints: [join(root, "web/src", file)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

test("types are right", () => {
  execFileSync(process.execPath, [join(root, "web/node_modules/typescript/bin/tsc"), "--noEmit", "-p", join(root, "web")], { stdio: "pipe" });
});

test("numbers have few digits, real minus signs and prefixes", async () => {
  const { number, quantity, roundBelow, unitText, namedUnit } = await part("data/numbers.ts");
  assert.deepEqual([number(0.1), number(-2), number(100, 2), number(1.2345678e-9, 3), number(1e7), number(NaN)], ["0.1", "−2", "100", "1.23e−9", "1e7", "–"]);
  assert.deepEqual([quantity(0.0153, "m"), quantity(-0.00042, "N"), quantity(0, "N"), quantity(12, "rad")], ["15.3 mm", "−420 µN", "0 N", "12 rad"]);
  assert.deepEqual([roundBelow(0.7), roundBelow(3), roundBelow(1), roundBelow(0.1)], [0.5, 2, 1, 0.1]);
  assert.deepEqual([unitText("m/s^2"), unitText("1"), namedUnit("kg m/s^2"), namedUnit("kg m^2/s^2", true), namedUnit("kg m^2/s^2")], ["m/s²", "", "N", "J", "N m"]);
});

test("the words of every model together are its text", async () => {
  const { tokens } = await part("panels/highlight.ts");
  for (const file of readdirSync(join(root, "models")).filter((name) => name.endsWith(".nsm"))) {
    const text = readFileSync(join(root, "models", file), "utf8");
    assert.equal(tokens(text).map((token) => token.text).join(""), text);
  }
  const kinds = (text) => tokens(text).filter((token) => token.kind !== "plain").map((token) => `${token.kind} ${token.text}`);
  assert.deepEqual(kinds('param m = 6 [g] "mass" // all'), ["keyword param", "name m", "number 6", "unit [g]", 'string "mass"', "comment // all"]);
  assert.deepEqual(kinds("let a = q[i]"), ["keyword let", "name a"]);
});

test("a run is read between its rows, and the ends of time are its ends", async () => {
  const { Run, percentile } = await part("data/run.ts");
  const text = (array) => Buffer.from(array.buffer).toString("base64");
  const run = new Run({ columns: [{ name: "x", unit: "kg m/s^2" }], rows: 3, t: text(Float64Array.of(0, 1, 3)), data: text(Float32Array.of(0, 2, 4)) }, null, 0);
  assert.deepEqual(run.moment(2), { t: 2, row: 1, fraction: 0.5 });
  assert.deepEqual([run.moment(-1).row, run.moment(9).row, run.nearest(2.5)], [0, 2, 2]);
  assert.equal(run.between({ c: 0 }, run.moment(2)), 3);
  assert.equal(run.columns[0].unit, "N");
  assert.equal(percentile(100, (i) => i + 1, 0.5), 51);
});

test("the keys of the page are those of docs/viewing.md", async () => {
  const { keys } = await part("app/help.ts");
  const table = readFileSync(join(root, "docs/viewing.md"), "utf8").split("| key | |\n")[1].split("\n\n")[0];
  const documented = table.split("\n").slice(1).filter(Boolean).map((row) => row.split(" | ")[0].replace(/[|,]/g, "").trim());
  assert.deepEqual(documented, keys.map(([key]) => key));
});
