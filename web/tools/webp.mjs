// Pictures of pages for the documents. They are WebP: text stays sharp, and all together are a third of what PNGs would be.
import { writeFileSync } from "node:fs";
import { openPage } from "./browser.mjs";

export const sizes = { small: { width: 1200, height: 750, shown: 800, quality: 0.82 }, large: { width: 1400, height: 875, shown: 1280, quality: 0.85 } };

async function webp(browser, png, { shown, quality }) {
  const page = await browser.newPage();
  const address = await page.evaluate(async ([data, width, q]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = Math.round((image.height * width) / image.width);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/webp", q);
  }, [png.toString("base64"), shown, quality]);
  await page.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

/** The page of a run at a time of it, the middle if none is given, after some keys. What the page complains about is an error. */
export async function pictureOfPage(browser, html, size, out, { at, keys = [] } = {}) {
  const { page, context, complaints } = await openPage(browser, html, size);
  await page.evaluate((t) => {
    const { clock } = window.nsmcPage;
    clock.set(t ?? (clock.start + clock.end) / 2);
  }, at);
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // The fine picture of what stands still, of the scene and of the set.
    await new Promise((done) => setTimeout(done, 100));
    while (!window.nsmcPage.isFine) await new Promise((done) => requestAnimationFrame(done));
  });
  writeFileSync(out, await webp(browser, await page.screenshot(), size));
  await context.close();
  if (complaints.length) throw new Error(`${html} complained: ${complaints.join("\n")}`);
}
