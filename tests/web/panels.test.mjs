// Plots, energy, documents, studies.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, saved, setTime, settled, time, usePages, withPage } from "./support.mjs";

usePages("tippe_top", "vary", "plain", "study");

const plotted = (page, index = 0) => page.evaluate((i) => {
  const card = window.nsmcPage.plots.cards[i];
  return { x: card.spec.x, ys: card.spec.ys, ranges: card.plot.ranges(), curves: card.plot.curves.length };
}, index);

test("a click sets the time, a drag zooms, a double click shows all again", () => withPage("tippe_top", {}, async (page) => {
  const over = page.locator(".plot-card .u-over").first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 4, box.y + 20);
  assert.ok(Math.abs((await time(page)) - 2) < 0.05);
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 22, { steps: 5 });
  await page.mouse.up();
  await settled(page);
  const [low, high] = (await plotted(page)).ranges.x;
  assert.ok(Math.abs(low - 2) < 0.1 && Math.abs(high - 4) < 0.1, `${low} to ${high}`);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 30);
  await settled(page);
  assert.deepEqual((await plotted(page)).ranges.x, [0, 8]);
}));

test("curves are added by name; an axis for each unit; a phase portrait follows the cursor", () => withPage("tippe_top", {}, async (page) => {
  const card = page.locator(".plot-card").first();
  await card.getByRole("button", { name: "Add or remove curves" }).click();
  await page.getByRole("searchbox").fill("velocity[3]");
  await page.getByRole("menuitemcheckbox", { name: /top\.velocity\[3\]/ }).click();
  await page.keyboard.press("Escape");
  const after = await plotted(page);
  assert.deepEqual(after.ys, ["inclination", "spin_rate", "top.velocity[3]"]);
  assert.deepEqual(Object.keys(after.ranges), ["x", "y0", "y1", "y2"]);
  await card.getByRole("button", { name: "More about this plot" }).click();
  await page.getByRole("menuitem", { name: /Horizontal axis/ }).click();
  await page.getByRole("searchbox").fill("energy");
  await page.getByRole("menuitemcheckbox", { name: /^\W*energy/ }).first().click();
  await settled(page);
  assert.equal((await plotted(page)).x, "energy");
  const dot = () => page.evaluate(() => document.querySelector(".plot-dot").style.transform);
  await setTime(page, 1);
  const before = await dot();
  await setTime(page, 3);
  assert.notEqual(await dot(), before);
}));

test("a plot is saved as SVG and as CSV with the numbers of the run", () => withPage("tippe_top", {}, async (page) => {
  const more = () => page.locator(".plot-card").first().getByRole("button", { name: "More about this plot" }).click();
  await more();
  const drawing = await saved(page, () => page.getByRole("menuitem", { name: "Save as SVG" }).click());
  for (const part of [/^<svg/, />inclination</, />spin_rate</, />\[rad\/s\]</, />t \[s\]</]) assert.match(drawing.bytes.toString(), part);
  await more();
  const table = await saved(page, () => page.getByRole("menuitem", { name: "Save data as CSV" }).click());
  const lines = table.bytes.toString().trim().split("\n");
  assert.equal(lines[0], "t,inclination,spin_rate");
  assert.equal(lines.length, 802);
  const [t, inclination] = lines[1].split(",").map(Number);
  assert.equal(t, 0);
  assert.ok(Math.abs(inclination - 0.1) < 1e-6);
}));

test("several runs are families of curves", () => withPage("vary", {}, async (page) => {
  await settled(page);
  assert.equal((await plotted(page)).curves, 4);
  await page.getByRole("radio", { name: "mu2 = 0.6" }).click();
  await page.getByRole("tab", { name: "Parameters" }).click();
  assert.equal(await page.locator(".changed .number").innerText(), "0.6");
}));

test("energy: what is there, what was taken and the rest add up to the start", () => withPage("tippe_top", {}, async (page) => {
  await page.getByRole("tab", { name: "Energy" }).click();
  await setTime(page, 1);
  const shares = (await page.locator(".sink-share").allInnerTexts()).map((text) => Number(text.replace("−", "-").replace(" %", "")));
  assert.ok(shares.length >= 4);
  assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 0.5);
}));

test("tabs by keyboard; equations are typeset; the source is the source", () => withPage("tippe_top", {}, async (page) => {
  await page.getByRole("tab", { name: "Plots" }).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { name: "Equations" }).getAttribute("aria-selected"), "true");
  assert.equal(await time(page), 0);
  await page.waitForFunction(() => document.querySelectorAll(".equation .katex").length > 3);
  assert.equal(await page.locator(".equation pre").count(), 0);
  // What does not fit is smaller, and what would be too small is seen whole after a click.
  await page.locator(".equation.wider").first().waitFor();
  assert.equal(await page.locator(".equation:not(.wider)").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length), 0);
  await page.locator(".equation.wider").first().click();
  assert.ok(await page.locator("dialog[open]").evaluate((one) => one.scrollWidth <= one.clientWidth));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.getByRole("tab", { name: "Source" }).click();
  const text = readFileSync(join(root, "models/tippe_top.nsm"), "utf8");
  assert.equal(await page.locator(".source").evaluate((element) => element.textContent), text);
  assert.ok((await page.locator(".code-keyword").allInnerTexts()).includes("contact"));
  assert.ok((await page.locator(".code-unit").allInnerTexts()).includes("[kg m^2]"));
  await page.getByRole("tab", { name: "Run" }).click();
  assert.match(await page.locator(".summary").innerText(), /every step converged/);
  await page.locator(".event-row").nth(3).click();
  assert.ok((await time(page)) > 0);
}));

test("a model without a scene has plots and documents", () => withPage("plain", {}, async (page) => {
  await settled(page);
  assert.equal(await page.locator(".stage-canvas").count(), 0);
  assert.ok((await plotted(page)).curves >= 1);
}));

test("a study: a map with the failed runs marked, curves, the table", () => withPage("study", {}, async (page) => {
  assert.equal(await page.locator(".study-svg .cell").count(), 108);
  assert.equal(await page.locator(".study-svg .cross").count(), 4);
  assert.equal(await page.locator(".study-table tr.failed").count(), 4);
  await page.locator(".study-svg .cell.bad").first().hover({ force: true });
  assert.match(await page.locator(".study-about").innerText(), /did not converge/);
  await page.getByLabel("Vertical").selectOption({ label: "none: curves" });
  assert.equal(await page.locator(".study-curve").count(), 9);
  const table = await saved(page, () => page.getByRole("button", { name: "Save table as CSV" }).click());
  assert.equal(table.bytes.toString().trim().split("\n").length, 109);
}));
