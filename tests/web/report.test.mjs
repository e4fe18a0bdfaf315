// The page of nsmc sweep --report: what is clicked is shown, if it was kept.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { folder, program, root, template, usePages, withPage } from "./support.mjs";

usePages();
const sweep = (page, ...more) => execFileSync(program, ["sweep", join(root, "models/bouncing_ball.nsm"), "--vary", "e=0.2,0.5,0.8", "--vary", "m=0.1,-1", "--until", "2", "--step", "1e-3",
  "--measure", "max(z)", "--measure", "z", "-o", join(folder, "table.csv"), "--quiet", "--report", join(folder, `${page}.html`), ...more], { env: { ...process.env, NSMC_WEB_DIR: dirname(template) } });
before(() => {
  sweep("kept", "--curves");
  sweep("table");
});

test("a click on a cell or a row shows its run, failed ones stay apart", () => withPage("kept", {}, async (page) => {
  assert.equal(await page.locator(".study-svg .cell").count(), 6);
  assert.equal(await page.locator(".study-svg .cell.bad").count(), 3);
  assert.equal(await page.evaluate(() => window.nsmcPage.runs.length), 1);
  const shown = () => page.evaluate(() => {
    const run = window.nsmcPage.runs[0];
    return [run.label, run.column(run.find("z"))[run.rows - 1]];
  });
  const [first] = await shown();
  assert.equal(first, "e = 0.2, m = 0.1");
  await page.locator(".study-table tr.opens").nth(2).click();
  const [label, z] = await shown();
  assert.equal(label, "e = 0.8, m = 0.1");
  assert.match(await page.locator(".chip").innerText(), /e = 0\.8/);
  assert.equal(await page.getByRole("tab", { name: "Plots" }).getAttribute("aria-selected"), "true");
  await page.getByRole("tab", { name: "Study" }).click();
  const last = await page.locator(".study-table tr.opens").nth(2).locator("td").nth(3).innerText();
  assert.ok(Math.abs(Number(last.replace("−", "-")) - z) < 1e-3 * Math.max(1, Math.abs(z)), `${last} and ${z}`);
  // And back, by the map; a run that failed shows nothing.
  await page.locator(".study-svg g.opens").first().click({ force: true });
  assert.equal((await shown())[0], "e = 0.2, m = 0.1");
  await page.getByRole("tab", { name: "Study" }).click();
  await page.locator(".study-svg .cell.bad").first().click({ force: true });
  assert.match(await page.locator(".study-about").innerText(), /failed/);
  assert.equal((await shown())[0], "e = 0.2, m = 0.1");
}));

test("without --curves the table is all there is", () => withPage("table", {}, async (page) => {
  assert.equal(await page.locator(".study-svg .cell").count(), 6);
  assert.equal(await page.locator(".opens").count(), 0);
  // A page cannot run: it says what does.
  await page.locator(".study-table tbody tr").first().click();
  const command = await page.locator(".study-command code").innerText();
  assert.match(command, /^nsmc view \S*bouncing_ball.nsm --step 1e-3 --until 2 --set e=0.2 --set m=0.1$/);
  const made = join(folder, "single.html");
  execFileSync(program, [...command.split(" ").slice(1), "--no-open", "--quiet", "-o", made], { env: { ...process.env, NSMC_WEB_DIR: dirname(template) } });
  assert.match(readFileSync(made, "utf8"), /"overrides":\{"e":[^}]*0\.2/);
  assert.equal(await page.locator(".stage-canvas").count(), 0);
}));
