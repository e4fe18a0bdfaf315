// node tools/frame_rate.mjs PAGE.html [--size 800x600] [--seconds 5]
// How many frames a second a page plays in software rendering, and the processor time of a frame: on a machine that does other things,
// too, the latter is what can be compared. Not a test: it measures this machine.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { openPage, startBrowser } from "./browser.mjs";

const [file, ...rest] = process.argv.slice(2);
const value = (name, fallback) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : fallback);
const [width, height] = value("--size", "800x600").split("x").map(Number);
const seconds = Number(value("--seconds", 5));

const fields = (id) => {
  const text = readFileSync(`/proc/${id}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
};
// User and system time of the processes below this one, in ms (the clock of /proc ticks 100 times a second).
function processorTime() {
  const parents = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(id, fields(id));
    } catch {
      // It has ended.
    }
  }
  let sum = 0;
  for (let [id, own] of parents) {
    const ticks = Number(own[11]) + Number(own[12]);
    for (let depth = 0; depth < 12 && own; depth++) {
      id = own[1];
      if (id === String(process.pid)) {
        sum += 10 * ticks;
        break;
      }
      own = parents.get(id);
    }
  }
  return sum;
}

const browser = await startBrowser();
try {
  // The scene alone has this size; the panels are beside it.
  const { page } = await openPage(browser, resolve(file), { width: width + 700, height: height + 200 });
  await page.addStyleTag({ content: `.main { grid-template-columns: ${width}px 1px 1fr !important } .stage { flex: 0 0 ${height}px !important }` });
  await page.evaluate(() => window.nsmcPage.clock.play());
  await page.waitForTimeout(2500); // what is switched off when frames take long is off then
  await page.evaluate(() => {
    window.nsmcPage.clock.set(window.nsmcPage.clock.start);
    window.nsmcPage.clock.play();
  });
  const frames = () => page.evaluate(() => [window.nsmcPage.stage.framesDrawn, performance.now()]);
  const [f0, t0] = await frames();
  const before = processorTime();
  await page.waitForTimeout(1000 * seconds);
  const [f1, t1] = await frames();
  const spent = processorTime() - before;
  const size = await page.evaluate(() => [window.nsmcPage.stage.canvas.clientWidth, window.nsmcPage.stage.canvas.clientHeight].join("x"));
  console.log(`${size}: ${((1000 * (f1 - f0)) / (t1 - t0)).toFixed(1)} frames a second, ${(spent / Math.max(1, f1 - f0)).toFixed(1)} ms of the processor for a frame`);
} finally {
  await browser.close();
}
