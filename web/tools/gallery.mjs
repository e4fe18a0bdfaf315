// node tools/gallery.mjs PROGRAM TEMPLATE MODELS DOCS [NAME...]
// docs/gallery.md of all models, with a picture of the page of each model named and of those without one (of all if none is named);
// with them the large one of the README, and that of the model in docs/viewing.md. Pictures are WebP: text stays sharp, and all together are a third of what PNGs would be.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { startBrowser } from "./browser.mjs";
import { moments } from "./moments.mjs";
import { pictureOfPage, sizes } from "./webp.mjs";

const [program, template, models, docs, ...named] = process.argv.slice(2);
const folder = join(docs, "gallery");

const others = ["page", "sled"]; // pictures that are not in the gallery
const found = readdirSync(models).filter((file) => file.endsWith(".nsm")).map((file) => basename(file, ".nsm"));
const all = [...Object.keys(moments).filter((name) => found.includes(name)), ...found.filter((name) => !(name in moments))];
for (const name of [...named, ...Object.keys(moments)]) if (!found.includes(name) && !others.includes(name)) throw new Error(`there is no model '${name}' in ${models}`);

const modelOf = (name) => join(models, `${name}.nsm`);
const pictureOf = (name) => join(folder, `${name}.webp`);

/** What the header of a model says before its first empty line. */
function introOf(name) {
  const lines = readFileSync(modelOf(name), "utf8").split("\n");
  const end = lines.findIndex((line) => !/^\/\/ \S/.test(line));
  return lines.slice(0, end).map((line) => line.slice(3)).join(" ");
}

async function picture(browser, model, size, out, moment) {
  const html = join(temporary, "page.html");
  execFileSync(program, ["view", model, "--no-open", "--quiet", "-o", html], { env: { ...process.env, NSMC_WEB_DIR: dirname(template) }, stdio: ["ignore", "inherit", "ignore"] });
  await pictureOfPage(browser, html, size, out, moment);
}

function text() {
  const parts = all.map((name) => `## ${name}\n\n${introOf(name)}\n${moments[name] ? `${moments[name].text}\n` : ""}\n` +
    `[![the page of ${name}](gallery/${name}.webp)](../models/${name}.nsm)\n`);
  return "# Gallery\n\nEvery model of [models/](../models), as its page shows it: `nsmc view models/NAME.nsm` makes the page, in which the motion plays, the camera\n" +
    "turns and the sets can be looked at from all sides ([viewing.md](viewing.md)). A click on a picture leads to the model.\n" +
    "Made by `scripts/gallery`.\n\n" + parts.join("\n");
}

mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
const temporary = mkdtempSync(join(tmpdir(), "nsmc-gallery-"));
try {
  for (const name of all.filter((one) => named.length === 0 || named.includes(one) || !existsSync(pictureOf(one)))) {
    await picture(browser, modelOf(name), sizes.small, pictureOf(name), moments[name]);
    if (name === "tippe_top") await picture(browser, modelOf(name), sizes.large, pictureOf("page"), moments[name]);
    console.log(name);
  }
  if (named.length === 0 || named.includes("sled") || !existsSync(pictureOf("sled"))) {
    const sled = join(temporary, "sled.nsm");
    writeFileSync(sled, /```nsm\n(model sled[^]*?)```/.exec(readFileSync(join(docs, "viewing.md"), "utf8"))[1]);
    await picture(browser, sled, sizes.small, pictureOf("sled"), { at: 1.4 });
  }
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true, force: true });
}
for (const file of readdirSync(folder)) {
  const name = basename(file, ".webp");
  if (!others.includes(name) && !found.includes(name)) rmSync(join(folder, file));
}
writeFileSync(join(docs, "gallery.md"), text());
