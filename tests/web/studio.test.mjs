// The studio in a browser: writing, mistakes, sliders, stopping, saving.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, program, usePages, withAddress } from "./support.mjs";

const model = (e, until = 2) => `param e = ${e} in 0..1
coord z [m] = 1
kinetic 1 [kg]/2*z'^2
potential 9.81 [N]*z
contact floor { gap z  law unilateral(e) }
draw ball = sphere(5 [cm]) at [0 [m], 0 [m], z]
simulate { until ${until} [s]  step 1 [ms] }
`;

usePages();
let studio, address;
before(async () => {
  writeFileSync(join(folder, "ball.nsm"), model(0.5));
  studio = spawn(program, ["studio", join(folder, "ball.nsm"), "--no-open"]);
  address = await new Promise((found, failed) => {
    let said = "";
    studio.stdout.on("data", (text) => {
      said += text;
      const at = /http:\S+/.exec(said);
      if (at) found(at[0]);
    });
    studio.on("exit", (code) => failed(new Error(`the studio ended with ${code}`)));
  });
});
after(() => studio?.kill("SIGINT"));

const shown = (page) => page.frames().find((frame) => frame.url().includes("/view"));
const lowest = (page) => shown(page).evaluate(() => {
  const run = window.nsmcPage.runs[0];
  return Math.max(...run.column(run.find("z")).slice(run.rows / 2));
});
const ready = (page) => page.waitForFunction(() => document.querySelector("iframe")?.contentWindow?.nsmcPage !== undefined, null, { timeout: 60000 });
const write = (page, text) => page.evaluate((value) => {
  const view = document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView.view;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
}, text);

test("a model runs when it is opened, and again when a slider moves", () => withAddress(address, async (page) => {
  await ready(page);
  const before = await lowest(page);
  await shown(page).evaluate(() => window.nsmcPage.clock.set(1));
  await page.locator(".knob input[type=range]").first().fill("400");
  await page.waitForFunction((old) => {
    const run = document.querySelector("iframe").contentWindow.nsmcPage.runs[0];
    return Math.max(...run.column(run.find("z")).slice(run.rows / 2)) > old + 0.2;
  }, before, { timeout: 60000 });
  // The same page with other data: the time stays.
  assert.equal(await shown(page).evaluate(() => window.nsmcPage.clock.t), 1);
  assert.equal(await page.locator(".knob.moved").count(), 1);
  await page.getByRole("button", { name: "As in the model" }).click();
  await page.waitForFunction((old) => {
    const run = document.querySelector("iframe").contentWindow.nsmcPage.runs[0];
    return Math.abs(Math.max(...run.column(run.find("z")).slice(run.rows / 2)) - old) < 1e-6;
  }, before, { timeout: 60000 });
}));

test("a mistake is underlined and listed, and the hint mends it", () => withAddress(address, async (page) => {
  await ready(page);
  await write(page, model(0.5).replace("unilateral(e)", "unilaterall(e)"));
  await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 60000 });
  assert.match(await page.locator(".problem").first().textContent(), /5:\d+.*unilaterall.*did you mean 'unilateral'.*N0206/);
  await page.locator(".cm-lintRange-error").first().hover();
  await page.getByRole("button", { name: "write unilateral" }).click();
  await page.locator(".problems").waitFor({ state: "hidden", timeout: 60000 });
  // Not saved yet: the file is as it was, and so it is left.
  assert.equal(readFileSync(join(folder, "ball.nsm"), "utf8"), model(0.5));
  await write(page, model(0.25));
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForFunction(() => !document.querySelector(".studio-file").classList.contains("unsaved"));
  assert.equal(readFileSync(join(folder, "ball.nsm"), "utf8"), model(0.25));
}));

test("a long run shows how far it is, and can be stopped", () => withAddress(address, async (page) => {
  await ready(page);
  await write(page, model(0.5, 1e7));
  await page.getByRole("button", { name: "Stop" }).waitFor({ timeout: 60000 });
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".studio-status", { hasText: "stopped" }).waitFor({ timeout: 60000 });
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  await write(page, model(0.25));
}));

test("names are completed", () => withAddress(address, async (page) => {
  await ready(page);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("output force = flo");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete", { hasText: "floor" }).waitFor({ timeout: 60000 });
  await write(page, model(0.25));
}));
