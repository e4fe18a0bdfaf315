// The reservoir panel: the force is where it should be, and the velocity is normal to the set.
import assert from "node:assert/strict";
import { test } from "node:test";
import { saved, setTime, settled, usePages, withPage } from "./support.mjs";

usePages("two_set", "vary", "tippe_top", "planar");

// The drawing in its own coordinates: the middle of the axes, the set's half axes, the point, the arrow's direction.
function drawing(page) {
  return page.evaluate(() => {
    const root = document.querySelector(".reservoir-flat");
    const box = root.viewBox.baseVal;
    const sets = [...root.querySelectorAll(".set")].map((path) => {
      const { width, height } = path.getBBox();
      return { a: width / 2, b: height / 2 };
    });
    const point = root.querySelector(".force");
    const numbers = (root.querySelector(".velocity").getAttribute("d") ?? "").match(/-?[\d.]+(e-?\d+)?/g)?.map(Number) ?? [];
    return { sets, x: Number(point.getAttribute("cx")) - box.width / 2, y: Number(point.getAttribute("cy")) - box.height / 2,
      from: [numbers[0] - box.width / 2, numbers[1] - box.height / 2], arrow: numbers.length ? [numbers[2] - numbers[0], numbers[3] - numbers[1]] : null };
  });
}

const along = ([ax, ay], [bx, by]) => (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by));

test("sliding on an ellipse: the force is on its boundary, the velocity is its outward normal", () => withPage("vary", {}, async (page) => {
  for (const t of [0.05, 0.15]) {
    await setTime(page, t);
    const { sets: [{ a, b }], x, y, arrow } = await drawing(page);
    assert.ok(Math.abs((x / a) ** 2 + (y / b) ** 2 - 1) < 0.02, `on the boundary at ${t}`);
    assert.ok(along(arrow, [x / a ** 2, y / b ** 2]) > 0.999, `normal at ${t}`);
  }
}));

test("two sets: the force is on the one, the velocity is normal to the other where the ray meets it", () => withPage("two_set", {}, async (page) => {
  await setTime(page, 0.15);
  const { sets: [C, D], x, y, from, arrow } = await drawing(page);
  assert.ok(Math.abs((x / C.a) ** 2 + (y / C.b) ** 2 - 1) < 0.02);
  assert.ok(Math.abs((from[0] / D.a) ** 2 + (from[1] / D.b) ** 2 - 1) < 0.02);
  assert.ok(along(arrow, [from[0] / D.a ** 2, from[1] / D.b ** 2]) > 0.999);
  const drawn = await saved(page, () => page.getByRole("button", { name: "Save this drawing" }).click());
  assert.match(drawn.bytes.toString(), /^<svg[\s\S]*<circle/);
}));

test("an interval: in stick the force is inside and nothing slides", () => withPage("planar", {}, async (page) => {
  await setTime(page, 1);
  assert.equal(await page.locator(".badge").innerText(), "sticks");
  const used = async () => Number(/used\s*([\d.]+) %/.exec(await page.locator(".reservoir-values").innerText())[1]);
  assert.ok((await used()) < 99);
  const inside = await drawing(page);
  assert.ok(Math.abs(inside.x) < inside.sets[0].a);
  assert.equal(inside.arrow, null);
  const sliding = await page.evaluate(() => {
    const run = window.nsmcPage.runs[0];
    const v = run.column(run.find("v"));
    return run.t[v.findIndex((value) => value > 0.1)];
  });
  await setTime(page, sliding);
  assert.equal(await page.locator(".badge").innerText(), "slips");
  assert.ok((await drawing(page)).arrow[0] > 0);
  assert.ok(Math.abs((await used()) - 100) < 1);
}));

test("a set in space can be turned, and moves with the cursor; the closed contact is shown", () => withPage("tippe_top", {}, async (page) => {
  const pixels = () => page.evaluate(() => document.querySelector(".reservoir-solid").toDataURL());
  await setTime(page, 0.9);
  const chosen = () => page.evaluate(() => document.querySelector(".reservoir select").selectedOptions[0].textContent);
  assert.match(await chosen(), /^head/);
  const first = await pixels();
  await setTime(page, 1.0);
  const second = await pixels();
  assert.notEqual(second, first);
  const box = await page.locator(".reservoir-solid").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 20, { steps: 3 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual(await pixels(), second);
  await setTime(page, 2);
  assert.match(await chosen(), /^tip/);
  await page.getByRole("combobox", { name: "contact and law" }).selectOption({ index: 0 });
  await setTime(page, 2.1);
  assert.match(await chosen(), /^head/);
  assert.equal(await page.locator(".badge").innerText(), "open");
}));

test("a set in space is saved as a drawing, with ticks in the units of its forces", () => withPage("tippe_top", {}, async (page) => {
  await setTime(page, 1.2);
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Save this drawing" }).click());
  assert.match(name, /reservoir_head\.svg$/);
  const text = bytes.toString();
  assert.ok(text.split("<path").length > 200, "the triangles of the body");
  for (const label of ["−T[1]", "−tau"]) assert.ok(text.includes(`>${label}<`), label);
  // The marks are where the set is: a T of 20 mN, a tau of some µN m.
  assert.match(text, />\d+ mN</);
  assert.match(text, />\d+ µN m</);
  assert.equal(/NaN|undefined/.test(text), false);
}));
