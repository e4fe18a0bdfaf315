// What the tests of the page share: sample pages in a folder of their own, one browser for a file of tests.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { openPage, startBrowser } from "../../web/tools/browser.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const program = process.env.NSMC_PROGRAM ?? join(root, "build", "nsmc");
export const template = process.env.NSMC_PAGE ?? join(root, "build", "web", "view.html");
export const folder = mkdtempSync(join(tmpdir(), "nsmc-web-"));

let browser;

/** The pages that a file of tests needs, by the names of web/tools/sample/make.mjs. */
export function usePages(...names) {
  before(async () => {
    if (names.length) {
      execFileSync(process.execPath, [join(root, "web/tools/sample/make.mjs"), "--nsmc", program, "--models", join(root, "models"), "--template", template, folder, ...names]);
    }
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A page that is closed afterwards; it must not have complained. */
export async function withPage(name, options, act) {
  const { page, context, complaints } = await openPage(browser, name.startsWith("/") ? name : join(folder, `${name}.html`), options);
  try {
    await act(page);
    if (complaints.length) throw new Error(`${name} complained: ${complaints.join("\n")}`);
  } finally {
    await context.close();
  }
}

/** The same for an address; `complaints`: those that are expected. */
export async function withAddress(address, act, { complaints: expected, ...options } = {}) {
  const { page, context, complaints } = await openPage(browser, address, options);
  try {
    await act(page);
    const others = complaints.filter((one) => !expected?.test(one));
    if (others.length) throw new Error(`${address} complained: ${others.join("\n")}`);
  } finally {
    await context.close();
  }
}

/** Until all that follows the clock was drawn, as finely as it will be. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(() => window.nsmcPage?.isFine ?? true);
}

export function time(page) {
  return page.evaluate(() => window.nsmcPage.clock.t);
}

export async function setTime(page, t) {
  await page.evaluate((value) => window.nsmcPage.clock.set(value), t);
  await settled(page);
}

export function scenePixels(page) {
  return page.evaluate(() => document.querySelector(".stage-canvas").toDataURL());
}

/** The bytes of what a click saves. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export function writeText(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
