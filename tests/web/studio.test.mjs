// The studio in a browser: writing, mistakes, sliders, stopping, files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, program, usePages, withAddress } from "./support.mjs";

const patient = { timeout: 60000 }; // a loaded machine draws slowly

const model = (e, until = 2) => `model ball "A ball"
param e = ${e} in 0..1  "restitution"
param h0 = 1 [m]
param shift = 0 [mm]
coord z [m] = h0 + shift
kinetic 1 [kg]/2*z'^2
potential 9.81 [N]*z
contact floor { gap z  law unilateral(e) }
draw ball = sphere(5 [cm]) at [0 [m], 0 [m], z]
simulate { until ${until} [s]  step 1 [ms] }
`;

usePages();
const place = join(folder, "models");
let studio, address;
before(async () => {
  mkdirSync(place);
  studio = spawn(program, ["studio", place, "--no-open"]);
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

const onDisk = (name) => readFileSync(join(place, name), "utf8");

/** A page with this model open, which has run; it plays only when it is told to: software rendering is slow. */
const withBall = (act, { complaints, ...options } = {}) => {
  writeFileSync(join(place, "ball.nsm"), model(0.5));
  return withAddress(address, async (page) => {
    await ready(page);
    await act(page);
  }, { complaints, calm: true, width: 1000, height: 700, ...options });
};
const ready = (page) => page.waitForFunction(() => document.querySelector("iframe")?.contentWindow?.nsmcPage !== undefined, null, patient);

// What the page in the frame says; frames come and go.
const inView = (page, act, value) => page.evaluate(([code, given]) => {
  const view = document.querySelector("iframe").contentWindow;
  return new Function("page", "window", "given", `return (${code})(page, window, given)`)(view.nsmcPage, view, given);
}, [act.toString(), value]);
const until = async (page, act, value) => {
  const end = Date.now() + patient.timeout;
  while (!(await inView(page, act, value))) {
    if (Date.now() > end) throw new Error(`not within a minute: ${act}`);
    await page.waitForTimeout(50);
  }
};
const highest = (page) => inView(page, (shown) => {
  const run = shown.runs[0];
  return Math.max(...run.column(run.find("z")).slice(run.rows / 2));
});
const untilHighest = (page, test, value) => until(page, `(shown, window, value) => {
  const run = shown.runs[0];
  return (${test})(Math.max(...run.column(run.find("z")).slice(run.rows / 2)), value);
}`, value);
const write = (page, text) => page.evaluate((value) => {
  const view = document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView.view;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
}, text);
const text = (page) => page.evaluate(() => (document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView.view).state.doc.toString());
const knob = (page, name) => page.locator(".knob", { has: page.getByRole("slider", { name, exact: true }) });
const says = (page, what) => page.locator(".studio-status", { hasText: what }).waitFor(patient);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const openFiles = async (page) => {
  await page.locator(".files-button").click(patient);
  await page.locator(".file-list").waitFor(patient);
};

test("a folder without models opens an example; saving it asks for a name in the folder", () => withAddress(address, async (page) => {
  await ready(page);
  assert.match(await page.locator(".studio-note").innerText(), /example/);
  await until(page, (shown) => shown.clock.playing); // what moves is seen at once
  await button(page, "Save").click();
  const name = page.getByRole("textbox", { name: "name" });
  assert.equal(await name.inputValue(), "bouncing_ball.nsm");
  await name.fill("mine");
  await page.locator(".dialog").getByRole("button", { name: "Save" }).click();
  await says(page, "saved");
  assert.match(onDisk("mine.nsm"), /model bouncing_ball/);
  assert.equal(await page.locator(".studio-note").isVisible(), false);
  await openFiles(page);
  await page.getByRole("menuitem", { name: "mine.nsm" }).waitFor(patient);
  // Examples say what they show, and can be found.
  await page.getByRole("searchbox", { name: "find a model" }).fill("cradle");
  await page.getByRole("menuitem", { name: /Newton's cradle/ }).click();
  await page.locator(".studio-file", { hasText: "cradle.nsm" }).waitFor(patient);
  await until(page, (shown) => shown.runs[0].label !== undefined && shown.data.model.name === "cradle");
}));

test("a slider runs the model again; time and camera stay", () => withBall(async (page) => {
  const low = await highest(page);
  await inView(page, (shown) => { shown.clock.pause(); shown.clock.set(1); });
  await inView(page, (shown, window) => { window.marked = true; });
  await knob(page, "e").getByRole("slider").fill("400");
  await untilHighest(page, "(z, low) => z > low + 0.2", low);
  assert.equal(await inView(page, (shown) => shown.clock.t), 1);
  assert.equal(await inView(page, (shown, window) => window.marked), true); // the same frame
  assert.equal(await page.locator(".knob.moved").count(), 1);
  assert.equal(await text(page), model(0.5)); // the text is as it was
  await button(page, "As in the model").click();
  await untilHighest(page, "(z, low) => Math.abs(z - low) < 1e-6", low);
  // Bounds are those of the model; values are in its units, a zero, too.
  await knob(page, "e").getByRole("slider").fill("0");
  await untilHighest(page, "(z) => z < 0.01");
  const shift = knob(page, "shift");
  assert.equal(await shift.locator(".knob-unit").innerText(), "mm");
  await shift.getByRole("textbox").fill("250");
  await shift.getByRole("textbox").press("Enter");
  await until(page, (shown) => Math.abs(shown.runs[0].column(shown.runs[0].find("z"))[0] - 1.25) < 1e-6);
}));

test("every parameter has a slider: those that follow others, and sizes", () => withBall(async (page) => {
  await write(page, model(0.5).replace("param shift = 0 [mm]", "param n = 2\nparam shift = h0/4").replace("draw ball", "coord y[i in 1..n] [m]\nkinetic 1 [kg]*y[i]'^2 for i in 1..n\ndraw ball"));
  const start = (page) => inView(page, (shown) => shown.runs[0].column(shown.runs[0].find("z"))[0]);
  const starts = (value) => until(page, (shown, window, z) => Math.abs(shown.runs[0].column(shown.runs[0].find("z"))[0] - z) < 1e-6, value);
  await starts(1.25);
  const shift = knob(page, "shift").getByRole("textbox");
  await knob(page, "h0").getByRole("slider").fill("400"); // 2 m
  await starts(2.5);
  await page.waitForFunction((field) => field.value === "0.5", await shift.elementHandle(), patient); // it followed
  await shift.fill("1");
  await shift.press("Enter");
  await starts(3);
  await page.getByRole("button", { name: "shift as in the model" }).click();
  await starts(2.5);
  assert.equal(await start(page), 2.5);
  // A size is a whole number, and makes another model.
  assert.equal(await inView(page, (shown) => shown.runs[0].find("y[3]")), -1);
  await knob(page, "n").getByRole("slider").fill("2");
  await page.waitForFunction(() => document.querySelectorAll("iframe").length === 1 && document.querySelector("iframe").contentWindow.nsmcPage?.runs[0]?.find("y[3]") >= 0, null, patient);
}));

test("the motion follows a slider while it is held", () => withBall(async (page) => {
  const box = await knob(page, "e").getByRole("slider").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const low = await highest(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + box.width * 0.25, y, { steps: 4 });
  await untilHighest(page, "(z, low) => z > low + 0.03", low);
  const middle = await highest(page);
  await page.mouse.move(x + box.width * 0.5, y, { steps: 4 });
  await untilHighest(page, "(z, middle) => z > middle + 0.03", middle);
  await page.mouse.up();
  // Of all these runs only those that are looked at are kept: the first one, beside the last.
  await page.locator(".past-run").first().waitFor(patient);
  assert.equal(await page.locator(".past-run").count(), 1);
  assert.match(await page.locator(".past-run").innerText(), /as in the model/);
}));

test("earlier runs are compared, and their parameters come back", () => withBall(async (page) => {
  await knob(page, "e").getByRole("slider").fill("400");
  await page.locator(".past-run", { hasText: "as in the model" }).getByRole("checkbox").check(patient);
  await until(page, (shown) => shown.runs.length === 2);
  assert.deepEqual(await inView(page, (shown) => shown.runs.map((run) => run.label)), ["e = 1", "as in the model"]);
  const peaks = await inView(page, (shown) => shown.runs.map((run) => Math.max(...run.column(run.find("z")).slice(run.rows / 2))));
  assert.ok(peaks[0] > peaks[1] + 0.2, String(peaks));
  await page.getByRole("button", { name: "as in the model: these parameters again" }).click();
  await page.locator(".knob.moved").first().waitFor({ ...patient, state: "detached" });
  await page.locator(".past-run").getByRole("checkbox", { checked: true }).click(patient);
  await until(page, (shown) => shown.runs.length === 1);
}));

test("what is written is seen: numbers in the same frame, other columns in a new one", () => withBall(async (page) => {
  const low = await highest(page);
  await inView(page, (shown, window) => { window.marked = true; });
  await write(page, model(0.9));
  await untilHighest(page, "(z, low) => z > low + 0.1", low);
  assert.equal(await inView(page, (shown, window) => window.marked), true);
  await inView(page, (shown) => { shown.clock.pause(); shown.clock.set(1.5); });
  await write(page, `${model(0.9)}output double = 2*z\n`);
  await page.waitForFunction(() => document.querySelectorAll("iframe").length === 1 && document.querySelector("iframe").contentWindow.nsmcPage?.runs[0]?.find("double") >= 0, null, patient);
  assert.equal(await inView(page, (shown) => shown.clock.t), 1.5);
  assert.equal(await inView(page, (shown) => shown.clock.playing), false);
}));

test("a mistake is underlined and listed, and the hint mends it", () => withBall(async (page) => {
  const wrong = model(0.5).replace("unilateral(e)", "unilaterall(e)");
  await write(page, wrong);
  await page.locator(".cm-lintRange-error").first().waitFor(patient);
  assert.match(await page.locator(".problem").first().textContent(), /line 8.*unilaterall.*N0206.*Write unilateral/);
  await page.locator(".stale").waitFor(patient); // the motion is that of before, and looks so
  await page.getByRole("button", { name: "Write unilateral" }).click();
  await page.locator(".problems").waitFor({ ...patient, state: "hidden" });
  assert.equal(await text(page), model(0.5));
  // The same under the text.
  await write(page, wrong);
  await page.locator(".problem").waitFor(patient);
  for (let tries = 0; !(await page.locator(".cm-diagnosticAction").isVisible()) && tries < 60; tries++) {
    await page.mouse.move(0, 0);
    await page.locator(".cm-lintRange-error").first().hover(patient);
    await page.waitForTimeout(1000);
  }
  await page.locator(".cm-diagnosticAction", { hasText: "write unilateral" }).click(patient);
  await page.locator(".problems").waitFor({ ...patient, state: "hidden" });
  assert.equal(await text(page), model(0.5));
}));

test("Ctrl+S saves; changes are not lost by opening another model", () => withBall(async (page) => {
  writeFileSync(join(place, "other.nsm"), model(0.75));
  await write(page, model(0.25));
  await page.locator(".studio-file.unsaved").waitFor(patient);
  assert.equal(onDisk("ball.nsm"), model(0.5)); // nothing is written before
  await page.locator(".knob-value").first().focus();
  await page.keyboard.press("Control+s");
  await page.locator(".studio-file:not(.unsaved)").waitFor(patient);
  assert.equal(onDisk("ball.nsm"), model(0.25));
  await write(page, model(0.3));
  await openFiles(page);
  await page.getByRole("menuitem", { name: "other.nsm" }).click();
  await page.locator(".dialog", { hasText: "not saved" }).getByRole("button", { name: "Close" }).click(patient);
  assert.equal(await text(page), model(0.3)); // stayed
  await openFiles(page);
  await page.getByRole("menuitem", { name: "other.nsm" }).click();
  await page.locator(".dialog").getByRole("button", { name: "Save", exact: true }).click(patient);
  await page.locator(".studio-file", { hasText: "other.nsm" }).waitFor(patient);
  assert.equal(onDisk("ball.nsm"), model(0.3));
  // The browser asks before a page with changes is closed.
  await write(page, model(0.31));
  await page.locator(".studio-file.unsaved").waitFor(patient);
  assert.equal(await page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }))), true);
}));

test("a file that another program has changed is not overwritten unasked", () => withBall(async (page) => {
  await write(page, model(0.25));
  writeFileSync(join(place, "ball.nsm"), model(0.8));
  await page.keyboard.press("Control+s");
  const dialog = page.locator(".dialog", { hasText: "another text" });
  await dialog.waitFor(patient);
  assert.equal(onDisk("ball.nsm"), model(0.8));
  await dialog.getByRole("button", { name: "Write this text" }).click();
  await says(page, "saved");
  assert.equal(onDisk("ball.nsm"), model(0.25));
  // Without changes of one's own the new text is simply there.
  writeFileSync(join(place, "ball.nsm"), model(0.7));
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("e = 0.7"), null, patient);
}, { complaints: /412/ }));

test("a new model begins with something that moves", () => withBall(async (page) => {
  await openFiles(page);
  await page.getByRole("menuitem", { name: /New model/ }).click();
  await page.getByRole("textbox", { name: "name" }).fill("first try");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator(".studio-file.unsaved", { hasText: "first try.nsm" }).waitFor(patient);
  await until(page, (shown) => shown.data.model.name === "first_try");
  assert.equal(existsSync(join(place, "first try.nsm")), false);
  await button(page, "Save").click();
  await says(page, "saved");
  assert.match(onDisk("first try.nsm"), /^\/\/ A ball/);
}));

test("a long run shows how far it is, and can be stopped", () => withBall(async (page) => {
  await write(page, model(0.5, 1e7));
  await button(page, "Stop").waitFor(patient);
  await page.waitForFunction(() => Number(getComputedStyle(document.querySelector(".studio-progress")).getPropertyValue("--part")) > 0, null, patient);
  await button(page, "Stop").click();
  await says(page, "stopped");
  await button(page, "Stop").waitFor({ ...patient, state: "hidden" });
  // Without "live" only Run runs.
  await page.getByRole("checkbox", { name: "live" }).uncheck();
  const low = await highest(page);
  await write(page, model(0.9));
  await page.waitForFunction(() => !document.querySelector(".stale"), null, patient);
  await page.waitForTimeout(600);
  assert.equal(await highest(page), low);
  await page.keyboard.press("Control+Enter");
  await untilHighest(page, "(z, low) => z > low + 0.1", low);
}));

test("what fits and what words mean is told by the library", () => withBall(async (page) => {
  const offered = (name) => page.locator(".cm-tooltip-autocomplete li", { hasText: name }).first().waitFor(patient);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  const type = async (typed) => {
    await page.keyboard.type(typed);
    await page.keyboard.press("Control+Space");
  };
  await type("output force = flo");
  await offered("floor");
  await page.keyboard.press("Escape");
  await type("or.");
  await offered("gap");
  await page.keyboard.press("Escape");
  await type("N\ncontact wall { gap z  law unilateral(res");
  await offered("restitution");
  await page.keyboard.press("Escape");
  // In the middle of it, behind letters that take two bytes; a word of the language, with what it does.
  await page.keyboard.type(") } // für ü\ngrav");
  await page.keyboard.press("Control+Space");
  await offered("gravity");
  await page.waitForTimeout(200); // what opened just now is not taken by accident
  await page.keyboard.press("Enter");
  assert.match(await text(page), /für ü\ngravity$/);
  const word = await page.evaluate(() => {
    const view = document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView.view;
    const { left, bottom, top } = view.coordsAtPos(view.state.doc.toString().indexOf("h0") + 1);
    return { x: left, y: (top + bottom) / 2 };
  });
  for (let tries = 0; !(await page.locator(".explained").isVisible()) && tries < 30; tries++) {
    await page.mouse.move(0, 0);
    await page.mouse.move(word.x, word.y, { steps: 3 });
    await page.waitForTimeout(1000);
  }
  assert.match(await page.locator(".explained").innerText(), /parameter h0 = 1 \[m\]/);
}));

test("a narrow window shows the text or the motion", () => withBall(async (page) => {
  await page.locator(".studio-right").waitFor({ ...patient, state: "hidden" });
  const inside = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth &&
    [...document.querySelectorAll(".studio-bar button")].every((one) => one.hidden || one.getBoundingClientRect().right <= window.innerWidth));
  assert.ok(await inside());
  await button(page, "Motion").click();
  await page.locator(".studio-left").waitFor({ ...patient, state: "hidden" });
  assert.ok(await page.locator(".studio-right").isVisible());
  assert.ok(await inside());
  await button(page, "Text").click();
  await page.locator(".studio-left").waitFor(patient);
}, { width: 390, height: 780 }));
