// node tools/gallery.mjs PROGRAM TEMPLATE MODELS DOCS [NAME...]
// docs/gallery.md of all models, with a picture of the page of each model named and of those without one (of all if none is named) and the large one of the
// README. Pictures are WebP: text stays sharp, and all together are a third of what PNGs would be.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { openPage, startBrowser } from "./browser.mjs";
import { moments } from "./moments.mjs";

const [program, template, models, docs, ...named] = process.argv.slice(2);
const folder = join(docs, "gallery");
const sizes = { small: { width: 1200, height: 750, shown: 800, quality: 0.82 }, large: { width: 1400, height: 875, shown: 1280, quality: 0.85 } };

const found = readdirSync(models).filter((file) => file.endsWith(".nsm")).map((file) => basename(file, ".nsm"));
const all = [...Object.keys(moments).filter((name) => found.includes(name)), ...found.filter((name) => !(name in moments))];
for (const name of [...named, ...Object.keys(moments)]) if (!found.includes(name)) throw new Error(`there is no model '${name}' in ${models}`);

const pictureOf = (name) => join(folder, `${name}.webp`);

/** What the header of a model says before its first empty line, and the words behind its name. */
function headerOf(name) {
  const text = readFileSync(join(models, `${name}.nsm`), "utf8");
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !/^\/\/ \S/.test(line));
  return { intro: lines.slice(0, end).map((line) => line.slice(3)).join(" "), doc: /^model \w+ "([^"]*)"/m.exec(text)?.[1] ?? name };
}

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

async function picture(browser, html, name, size, out) {
  const { at, keys = [] } = moments[name] ?? {};
  const { page, context, complaints } = await openPage(browser, html, size);
  await page.evaluate((t) => {
    const { clock } = window.nsmcPage;
    clock.set(t ?? (clock.start + clock.end) / 2);
  }, at);
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let i = 0; i < 4; i++) await new Promise((done) => requestAnimationFrame(done));
  });
  writeFileSync(out, await webp(browser, await page.screenshot(), size));
  await context.close();
  if (complaints.length) throw new Error(`the page of ${name} complained: ${complaints.join("\n")}`);
}

function text() {
  const parts = all.map((name) => {
    const { intro, doc } = headerOf(name);
    return `## ${name}\n\n**${doc}.** ${intro}${moments[name] ? `\n${moments[name].text}` : ""}\n\n` +
      `[![the page of ${name}](gallery/${name}.webp)](../models/${name}.nsm)\n`;
  });
  return "# Gallery\n\nEvery model of [models/](../models), as its page shows it: `nsmc view models/NAME.nsm` makes the page, in which the motion plays, the camera\n" +
    "turns and the sets can be looked at from all sides ([viewing.md](viewing.md)). A click on a picture leads to the model.\n" +
    "Made by `scripts/gallery`.\n\n" + parts.join("\n");
}

mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
const temporary = mkdtempSync(join(tmpdir(), "nsmc-gallery-"));
try {
  for (const name of all.filter((one) => named.length === 0 || named.includes(one) || !existsSync(pictureOf(one)))) {
    const html = join(temporary, `${name}.html`);
    execFileSync(program, ["view", join(models, `${name}.nsm`), "--no-open", "--quiet", "-o", html], { env: { ...process.env, NSMC_WEB_DIR: dirname(template) }, stdio: ["ignore", "inherit", "ignore"] });
    await picture(browser, html, name, sizes.small, pictureOf(name));
    if (name === "tippe_top") await picture(browser, html, name, sizes.large, join(folder, "page.webp"));
    console.log(name);
  }
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true, force: true });
}
for (const file of readdirSync(folder)) {
  const name = basename(file, ".webp");
  if (name !== "page" && !found.includes(name)) rmSync(join(folder, file));
}
writeFileSync(join(docs, "gallery.md"), text());
