// The scene and its time: pages open, things move, keys and slider do what they say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, saved, scenePixels, setTime, settled, template, time, usePages, withPage, writeText } from "./support.mjs";

usePages("tippe_top", "planar", "vary", "spheres");

test("the page is one file without addresses, below its limit, with one place for data", () => {
  const text = readFileSync(template, "utf8");
  assert.ok(text.length < 1.5e6);
  assert.equal(text.split("NSMC_DATA").length, 2);
  assert.equal(/(src|href)=["']?https?:/.test(text), false);
  assert.equal(/url\(["']?(https?:|\/\/)/.test(text), false);
});

test("what plays moves, and stands still when paused", () => withPage("tippe_top", {}, async (page) => {
  await settled(page);
  const before = await scenePixels(page);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.nsmcPage.clock.t > 0.05);
  await page.getByRole("button", { name: "Pause" }).click();
  await settled(page);
  const after = await scenePixels(page);
  assert.notEqual(after, before);
  const paused = await time(page);
  await page.waitForTimeout(200);
  assert.equal(await time(page), paused);
  assert.equal(await scenePixels(page), after);
}));

test("slider, frames, speed and ends by mouse and keyboard", () => withPage("tippe_top", {}, async (page) => {
  const slider = page.getByRole("slider", { name: "time" });
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await time(page)) - 4) < 0.1);
  await page.keyboard.press("Home");
  assert.equal(await time(page), 0);
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await time(page)) - 0.01) < 1e-9);
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(Math.abs((await time(page)) - 0.11) < 1e-9);
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await time(page)) - 0.1) < 1e-9);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await time(page)) - 8) < 1e-9);
  await page.keyboard.press("-");
  assert.equal(await page.evaluate(() => window.nsmcPage.clock.speed), 0.5);
  for (let i = 0; i < 12; i++) await page.keyboard.press("-");
  assert.equal(await page.evaluate(() => window.nsmcPage.clock.speed), 0.001);
  for (let i = 0; i < 20; i++) await page.keyboard.press("+");
  assert.equal(await page.evaluate(() => window.nsmcPage.clock.speed), 10);
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => window.nsmcPage.clock.playing), true);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
}));

test("events are marks that set the time, and keys go from one to the next", () => withPage("tippe_top", {}, async (page) => {
  const events = await page.evaluate(() => window.nsmcPage.runs[0].events.map((event) => event.t));
  assert.ok(events.length > 5);
  // One that no other mark lies over.
  const free = await page.locator(".mark").evaluateAll((marks) => marks.findLastIndex((mark) => {
    const box = mark.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === mark;
  }));
  const mark = page.locator(".mark").nth(free);
  const title = await mark.getAttribute("title");
  await mark.click();
  assert.equal((await time(page)).toFixed(3), title.split(" ")[0]);
  await page.keyboard.press("Home");
  await page.keyboard.press("]");
  assert.equal(await time(page), events[0]);
  await page.keyboard.press("]");
  await page.keyboard.press("[");
  assert.equal(await time(page), events[0]);
}));

test("views, projection, following and turning change the picture", () => withPage("tippe_top", {}, async (page) => {
  await setTime(page, 0.5);
  const pictures = [await scenePixels(page)];
  for (const key of ["1", "2", "3", "0", "p"]) {
    await page.keyboard.press(key);
    await settled(page);
    pictures.push(await scenePixels(page));
  }
  assert.equal(new Set(pictures).size, pictures.length);
  await page.getByRole("combobox", { name: "follow a body" }).selectOption("top");
  assert.equal(await page.evaluate(() => window.nsmcPage.stage.followed), "top");
  const before = await scenePixels(page);
  const box = await page.locator(".stage-canvas").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 280, box.y + 320, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual(await scenePixels(page), before);
}));

test("the wheel zooms, the right button shifts, views look along the axes, what is followed stays in its place", () => withPage("tippe_top", {}, async (page) => {
  const rig = () => page.evaluate(() => {
    const { rig, canvas } = window.nsmcPage.stage;
    const direction = rig.camera.position.clone().sub(rig.controls.target).normalize().toArray().map((x) => Math.round(100 * x) / 100 + 0);
    return { scale: rig.pixelsPerUnit(canvas.clientHeight), target: rig.controls.target.toArray(), direction, parallel: rig.isParallel };
  });
  const box = await page.locator(".stage-canvas").boundingBox();
  const first = await rig();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -300);
  await settled(page);
  const near = await rig();
  assert.ok(near.scale > 1.1 * first.scale);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up({ button: "right" });
  assert.notDeepEqual((await rig()).target, near.target);
  for (const [name, direction] of [["Top", [0, 0, 1]], ["Front", [0, -1, 0]], ["Side", [1, 0, 0]]]) {
    await page.getByRole("button", { name, exact: true }).click();
    const seen = await rig();
    assert.deepEqual(seen.direction, direction, name);
    assert.ok(seen.parallel);
  }
  await page.getByRole("button", { name: "Parallel" }).click();
  assert.equal((await rig()).parallel, false);
  const places = [];
  for (const t of [0.5, 6]) {
    await page.getByRole("combobox", { name: "follow a body" }).selectOption("top");
    await setTime(page, t);
    places.push((await rig()).target);
  }
  assert.ok(Math.hypot(...places[0].map((x, i) => x - places[1][i])) > 0.1, "the camera goes with the top");
  await page.getByRole("button", { name: "See everything" }).click();
  assert.equal(await page.evaluate(() => window.nsmcPage.stage.followed), null);
  // By keys: a twelfth of a turn and back, over the top and no further, nearer.
  const before = await rig();
  for (const key of ["d", "d", "d", "d"]) await page.keyboard.press(key);
  const turned = await rig();
  assert.ok(Math.abs(turned.direction[2] - before.direction[2]) < 0.011, "about the vertical");
  const angle = Math.atan2(turned.direction[1], turned.direction[0]) - Math.atan2(before.direction[1], before.direction[0]);
  assert.ok(Math.abs(angle - Math.PI / 6) < 0.05, `${angle}`);
  for (const key of ["a", "a", "a", "a"]) await page.keyboard.press(key);
  assert.deepEqual((await rig()).direction, before.direction);
  for (let i = 0; i < 15; i++) await page.keyboard.press("w");
  assert.deepEqual((await rig()).direction[2], 1);
  await page.keyboard.press("z");
  assert.ok(Math.abs((await rig()).scale / before.scale - 1.15) < 0.01);
}));

test("shadows, the ground, forces and the trace of a body are switched in the menu", () => withPage("tippe_top", {}, async (page) => {
  await setTime(page, 1);
  await page.getByRole("button", { name: "Show" }).click();
  let last = await scenePixels(page);
  for (const name of ["Shadows", "Ground and grid", "Contact forces", "top"]) {
    await page.getByLabel(name, { exact: true }).click();
    await settled(page);
    const now = await scenePixels(page);
    assert.notEqual(now, last, name);
    last = now;
  }
  assert.deepEqual(await page.evaluate(() => [...window.nsmcPage.stage.traced]), ["top"]);
}));

// Instance `index` of what a force layer draws: its length, where it points, its colour.
const drawn = (page, contact, force) => page.evaluate(([name, which]) => {
  const { stage, runs: [run] } = window.nsmcPage;
  const layer = stage.layers[0].forces;
  const mesh = layer.shafts.meshes[0];
  const i = layer.arrows.findIndex((arrow) => arrow.contact === name && arrow.force === which);
  if (i < 0 || i >= mesh.count) return null;
  const m = [...mesh.instanceMatrix.array.slice(16 * i, 16 * i + 16)];
  return { length: Math.hypot(m[8], m[9], m[10]), up: m[10] / Math.hypot(m[8], m[9], m[10]), color: [...mesh.instanceColor.array.slice(3 * i, 3 * i + 3)],
    unit: layer.length, arc: layer.drawn.map((one) => one.arc?.visible), rows: run.rows };
}, [contact, force]);
const colorOf = (page, name) => page.evaluate((n) => {
  const { forces } = window.nsmcPage.stage.layers[0];
  return forces.colors.get(n).toArray().map(Math.fround);
}, name);

test("arrows are as long as the forces, have the colour of what the contact does, and an arc for the drilling torque", () => withPage("tippe_top", {}, async (page) => {
  // On its tip, spinning. The head is open.
  await setTime(page, 2);
  const normal = await drawn(page, "tip", "N");
  assert.ok(normal.up > 0.999, "the normal force points up");
  assert.ok(normal.length > 0.4 * normal.unit && normal.length < 1.2 * normal.unit, `${normal.length} of ${normal.unit}`);
  assert.deepEqual(normal.color, await colorOf(page, "slip"));
  assert.deepEqual(normal.arc, [false, true]);
  assert.equal(await drawn(page, "head", "N"), null);
}));

test("what sticks and what slips have colours of their own", () => withPage("planar", {}, async (page) => {
  await setTime(page, 1);
  assert.deepEqual((await drawn(page, "floor", "N")).color, await colorOf(page, "stick"));
  const sliding = await page.evaluate(() => {
    const { runs: [run] } = window.nsmcPage;
    return run.t[run.column(run.find("v")).findIndex((value) => value > 0.1)];
  });
  await setTime(page, sliding);
  assert.deepEqual((await drawn(page, "floor", "N")).color, await colorOf(page, "slip"));
}));

test("forces, ghosts and traces can be shown and hidden", () => withPage("vary", {}, async (page) => {
  await setTime(page, 0.2);
  const all = await scenePixels(page);
  await page.keyboard.press("g");
  await settled(page);
  const alone = await scenePixels(page);
  assert.notEqual(alone, all);
  await page.keyboard.press("c");
  await settled(page);
  assert.notEqual(await scenePixels(page), alone);
  await page.keyboard.press("r");
  await settled(page);
  assert.equal(await page.getByRole("radio", { name: "mu2 = 0.3" }).getAttribute("aria-checked"), "true");
}));

test("a planar model is seen flat: dragging shifts and does not turn", () => withPage("planar", {}, async (page) => {
  const direction = () => page.evaluate(() => {
    const { camera, controls } = window.nsmcPage.stage.rig;
    return camera.position.clone().sub(controls.target).normalize().toArray();
  });
  const box = await page.locator(".stage-canvas").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 340, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual((await direction()).map((x) => Math.round(x * 1e6) / 1e6), [0, 0, 1]);
  assert.equal(await page.evaluate(() => window.nsmcPage.stage.rig.isParallel), true);
}));

test("a thousand balls are one draw call, and one is found under the pointer", () => withPage("spheres", {}, async (page) => {
  await setTime(page, 2);
  assert.ok(await page.evaluate(() => window.nsmcPage.stage.renderer.info.render.calls) < 10);
  const found = await page.evaluate(() => {
    const { stage } = window.nsmcPage;
    const box = stage.canvas.getBoundingClientRect();
    for (let x = 0.3; x < 0.7; x += 0.01) for (let y = 0.3; y < 0.7; y += 0.01) {
      const item = stage.pick(box.left + x * box.width, box.top + y * box.height);
      if (item) return item.body;
    }
    return null;
  });
  assert.match(found, /^ball\[\d+\]$/);
}));

test("a picture and a video of the scene are saved", () => withPage("planar", { width: 900, height: 500 }, async (page) => {
  await page.getByRole("button", { name: "Save" }).first().click();
  const picture = await saved(page, () => page.getByRole("menuitem", { name: /PNG/ }).click());
  assert.equal(picture.name, "stick_slip_scene.png");
  assert.deepEqual([...picture.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  await page.evaluate(() => window.nsmcPage.clock.setSpeed(10));
  await page.getByRole("button", { name: "Save" }).first().click();
  const video = await saved(page, () => page.getByRole("menuitem", { name: /WebM/ }).click());
  assert.deepEqual([...video.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
  assert.ok(video.bytes.length > 2000);
}));

test("light and dark: by preference, and by the switch", async () => {
  const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await withPage("planar", { dark: true }, async (page) => {
    const dark = await paper(page);
    await page.keyboard.press("t");
    await settled(page);
    assert.notEqual(await paper(page), dark);
  });
});

test("on a telephone nothing is wider than the screen", () => withPage("tippe_top", { phone: true, width: 390, height: 844 }, async (page) => {
  await settled(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  const box = await page.locator(".reservoir-body").boundingBox();
  assert.ok(box.height > 150);
}));

test("the first look has the whole motion in the picture, and fills it", async () => {
  for (const name of ["spheres", "planar"]) {
    await withPage(name, {}, async (page) => {
      await settled(page);
      const seen = await page.evaluate(() => {
        const { stage, runs: [run] } = window.nsmcPage;
        const { camera } = stage.rig;
        camera.updateMatrixWorld();
        const moving = run.scene.items.filter((item) => item.position?.some((channel) => typeof channel === "object"));
        const most = [0, 0];
        for (let row = 0; row < run.rows; row += Math.ceil(run.rows / 20)) {
          for (const item of moving) {
            const place = camera.position.clone().set(...item.position.map((channel) => run.at(channel, row))).multiplyScalar(stage.unit).add(stage.root.position).project(camera);
            most[0] = Math.max(most[0], Math.abs(place.x));
            most[1] = Math.max(most[1], Math.abs(place.y));
          }
        }
        return most;
      });
      assert.ok(Math.max(...seen) < 0.95, `${name}: ${seen}`);
      assert.ok(Math.max(...seen) > 0.5, `${name}: ${seen}`);
    });
  }
});

test("what the page cannot draw is left out and named, the rest is shown", () => withPage("planar", {}, async (good) => {
  const text = readFileSync(template, "utf8");
  const filled = readFileSync(join(folder, "planar.html"), "utf8");
  const begin = filled.lastIndexOf('id="nsmc-data">') + 'id="nsmc-data">'.length;
  const data = JSON.parse(filled.slice(begin, filled.indexOf("</script>", begin)));
  const scene = data.scene ?? data.runs[0].scene;
  const before = scene.items.length;
  scene.items.push({ name: "land", kind: "heightfield", position: [0, 0, 0], heights: [[0, 1], [1, 2]] }, { name: "bare", kind: "box" },
    { name: "far", kind: "sphere", radius: 1, position: [{ c: 99999 }, 0, 0] }, { name: "flat", kind: "polyhedron", points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], position: [0, 0, 0] });
  scene.contacts.push({ name: "odd" }, { name: "large", point: [0, 0, 0], laws: [{ name: "x", dim: 4, force: [0, 0, 0, 0], sets: [] }] },
    { name: "hollow", laws: [{ name: "y", dim: 2, force: [0, 0], sets: [{ role: "both", boundary: {} }] }] });
  assert.ok(await good.evaluate(() => window.nsmcPage.stage !== null));
  await withPage(writeText("odd.html", text.replace("NSMC_DATA", () => JSON.stringify(data).replaceAll("</", "<\\/"))), {}, async (page) => {
    await settled(page);
    assert.equal(await page.evaluate(() => window.nsmcPage.runs[0].scene.items.length), before + 1);
    assert.equal(await page.locator(".stage-canvas").count(), 1);
    const start = await scenePixels(page);
    await setTime(page, await page.evaluate(() => window.nsmcPage.clock.end / 2));
    assert.notEqual(await scenePixels(page), start);
    await page.getByRole("tab", { name: "Run" }).click();
    assert.match(await page.locator(".tab-panel:not([hidden])").innerText(), /cannot draw land \(heightfield\), bare \(box\), far \(sphere\)\./);
  });
}));

test("without data, or with those of another version, the page says so", async () => {
  const text = readFileSync(template, "utf8");
  await withPage(writeText("empty.html", text), {}, async (page) => assert.match(await page.locator(".no-data").innerText(), /nsmc view/));
  await withPage(writeText("other.html", text.replace("NSMC_DATA", '{"format": 2}')), {}, async (page) => assert.match(await page.locator(".no-data").innerText(), /another version/));
});
