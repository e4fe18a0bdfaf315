// A page of 50 MB: 1600 balls, 1200 rows of 8000 columns.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, setTime, time, usePages, withPage } from "./support.mjs";

usePages("large");

test("a page of 50 MB opens, plays and can be set to any time", () => withPage("large", { width: 800, height: 600 }, async (page) => {
  assert.ok(statSync(join(folder, "large.html")).size > 50e6);
  const run = () => page.evaluate(() => {
    const { rows, columns } = window.nsmcPage.runs[0];
    return { rows, columns: columns.length, end: window.nsmcPage.clock.end, frames: window.nsmcPage.stage.framesDrawn };
  });
  const { rows, columns, end, frames } = await run();
  assert.deepEqual([rows, columns], [1200, 8000]);
  await setTime(page, end / 2);
  assert.equal(await time(page), end / 2);
  await page.waitForFunction((drawn) => window.nsmcPage.stage.framesDrawn > drawn, frames, { timeout: 60000 });
  await page.evaluate(() => window.nsmcPage.clock.play());
  await page.waitForFunction((t) => window.nsmcPage.clock.t > t, end / 2, { timeout: 60000 });
}));
