// Chromium as the tests and pictures use it: Debian's, headless, WebGL 2 in software, no network.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const program = process.env.NSMC_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export async function startBrowser() {
  if (!program) throw new Error("no chromium: scripts/setup chromium installs it");
  return chromium.launch({
    executablePath: program, headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** A page, from a file or an address, with what it complains about. */
export async function openPage(browser, place, { width = 1280, height = 800, dark = false, phone = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", acceptDownloads: true, offline: !place.startsWith("http:"),
    ...(phone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}) });
  context.setDefaultTimeout(120000); // on machines that do other things, too
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall due to ReadPixels|GL Driver Message/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(`${error.message}\n${error.stack ?? ""}`));
  await page.goto(place.startsWith("http:") ? place : `file://${place}`);
  await page.waitForFunction(() => window.nsmcPage || document.querySelector(".no-data, .studio-main"), undefined, { timeout: 60000 });
  return { page, context, complaints };
}
