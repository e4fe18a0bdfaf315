// node tools/picture.mjs PAGE.html PICTURE.png [--at T] [--size 1280x800] [--dark] [--phone] [--tab NAME] [--view KEY]
// A picture of a page at a time of its run, for the gallery and for looking at it.
import { resolve } from "node:path";
import { openPage, startBrowser } from "./browser.mjs";

const [file, picture, ...rest] = process.argv.slice(2);
const value = (name, fallback) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : fallback);
const phone = rest.includes("--phone");
const [width, height] = value("--size", phone ? "390x844" : "1280x800").split("x").map(Number);
const browser = await startBrowser();
try {
  const { page, complaints } = await openPage(browser, resolve(file), { width, height, dark: rest.includes("--dark"), phone });
  const at = value("--at");
  if (at !== undefined) await page.evaluate((t) => window.nsmcPage.clock.set(t), Number(at));
  if (value("--view")) await page.keyboard.press(value("--view"));
  if (value("--tab")) await page.getByRole("tab", { name: value("--tab") }).click();
  await page.waitForTimeout(Number(value("--wait", 700)));
  await page.screenshot({ path: resolve(picture), fullPage: rest.includes("--full") });
  for (const complaint of complaints) console.error(complaint);
} finally {
  await browser.close();
}
