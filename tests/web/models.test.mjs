// Every model's page, as nsmc view writes it, opens without a complaint, draws something, and what moves is seen to move. Forces of
// friction have a place, and where a contact slips its force is on the boundary of its set, with the velocity normal to it.
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

// Runs in the page. For every contact with a set of forces, in rows of slip: -force is on the set that it lies in, and no point of the
// set that directions are normal to is further along the velocity than the foot of the force on it.
function lookAtSets() {
  const { reservoir, runs: [run] } = window.nsmcPage;
  const placeless = run.scene.contacts.filter((contact) => !contact.point && contact.laws?.some((law) => law.sets.length && ["N", "kg m/s^2"].includes(law.units?.[0]))).map((contact) => contact.name);
  const found = { placeless, slipping: 0, outside: [], oblique: [] };
  reservoir.setAuto(false);
  reservoir.choices.slice(0, 12).forEach(({ contact, law }, index) => {
    if (!law.velocity?.length || law.velocity.length !== law.force.length) return;
    reservoir.choose(index);
    const boundaries = reservoir.view.boundaries ?? reservoir.view.sets.map((set) => set.boundary);
    const holds = boundaries.find((one) => one.role !== "slip");
    const turns = boundaries.find((one) => one.role !== "reservoir");
    for (let row = 2; row < run.rows; row += 3) {
      if (reservoir.reader.state(row) !== "slip" || (contact.N && !(run.at(contact.N, row) > 1e-3 * reservoir.reader.usual))) continue;
      const speed = run.norm(law.velocity, row);
      if (speed < 20 * reservoir.reader.still) continue;
      const v = law.velocity.map((channel) => run.at(channel, row));
      let f = law.force.map((channel) => -run.at(channel, row));
      const share = holds.share(row, f);
      found.slipping++;
      if (share < 0.98 || share > 1.02) found.outside.push([contact.name, run.t[row], share]);
      // Collinear laws have another velocity in their inclusion than the one that is seen: their force is opposite to that.
      if (law.name.startsWith("collinear")) {
        if (f[0] * v[0] + f[1] * v[1] < 0.999 * Math.hypot(...f) * Math.hypot(...v)) found.oblique.push([contact.name, run.t[row]]);
        continue;
      }
      const own = turns.share(row, f);
      f = f.map((x) => x / own);
      const points = turns.at(row);
      const along = (x) => x.reduce((sum, value, i) => sum + value * v[i], 0);
      let most = -Infinity;
      for (let i = 0; i < points.length; i += law.dim) most = Math.max(most, along(points.subarray(i, i + law.dim)));
      if (along(f) < 0.95 * most) found.oblique.push([contact.name, run.t[row], along(f) / most]);
    }
  });
  return found;
}

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
      const { placeless, slipping, outside, oblique } = await page.evaluate(lookAtSets);
      assert.deepEqual(placeless, [], "say where their forces act: draw NAME = reaction(CONTACT) at POINT");
      assert.deepEqual(outside, [], "a force of slip is on the boundary");
      assert.deepEqual(oblique, [], "the velocity is normal to the set");
      if (model.startsWith("slider_") && model !== "slider_circle.nsm") assert.ok(slipping > 5, "something slips");
    });
  });
}
