// Every model's page, as nsmc view writes it, opens without a complaint, draws something, and what moves is seen to move.
// A model that draws nothing needs a declaration `draw`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, program, root, scenePixels, setTime, template, usePages, withPage } from "./support.mjs";

usePages();
const view = spawnSync(program, ["view", "--help"]).status === 0;
const models = readdirSync(join(root, "models")).filter((file) => file.endsWith(".nsm"));
// view.html is always the file's name: nsmc looks for it in a folder.
const env = { ...process.env, NSMC_WEB_DIR: dirname(template) };

for (const model of models) {
  test(model, { skip: view ? false : "this nsmc has no command view" }, async () => {
    const file = join(folder, model.replace(".nsm", ".html"));
    execFileSync(program, ["view", join(root, "models", model), "--no-open", "--frames", "120", "-o", file], { env, stdio: ["ignore", "ignore", "pipe"] });
    await withPage(file, { width: 900, height: 600 }, async (page) => {
      assert.ok(await page.locator(".stage-canvas").count(), "the model draws something");
      await setTime(page, 0);
      const seen = new Set([await scenePixels(page)]);
      const end = await page.evaluate(() => window.nsmcPage.clock.end);
      for (const share of [0.15, 0.4, 0.8]) {
        await setTime(page, share * end);
        seen.add(await scenePixels(page));
      }
      // A column or a pyramid stands still, and so does its picture.
      const moves = await page.evaluate(() => {
        const { runs: [run], stage: { extent } } = window.nsmcPage;
        const channels = run.scene.items.flatMap((item) => [...(item.position ?? []), ...(item.points ?? []).flat()]);
        return channels.some((channel) => typeof channel === "object" && run.column(channel.c).some((value, _, all) => Math.abs(value - all[0]) > 0.05 * extent.radius));
      });
      if (moves) assert.ok(seen.size > 1, "something moves");
    });
  });
}
