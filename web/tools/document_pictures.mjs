// node tools/document_pictures.mjs PAGE.md FOLDER
// The pictures of a page of the documents, from the files that its own commands wrote into FOLDER (tests/docs/page.py --keep FOLDER):
// NAME.svg as it is, NAME.webp from the page NAME.html. They stand in a folder called as the page, beside it.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { startBrowser } from "./browser.mjs";
import { momentsOfDocuments } from "./moments.mjs";
import { pictureOfPage, sizes } from "./webp.mjs";

const [document, folder] = process.argv.slice(2).map((path) => resolve(path));
const own = basename(document, ".md");
const browser = await startBrowser();
try {
  mkdirSync(join(dirname(document), own), { recursive: true });
  for (const [, name, kind] of readFileSync(document, "utf8").matchAll(new RegExp(`\\]\\(${own}/(\\w+)\\.(svg|webp)\\)`, "g"))) {
    const picture = join(dirname(document), own, `${name}.${kind}`);
    if (kind === "svg") copyFileSync(join(folder, `${name}.svg`), picture);
    else await pictureOfPage(browser, join(folder, `${name}.html`), sizes.small, picture, momentsOfDocuments[`${own}/${name}`]);
    console.log(picture);
  }
} finally {
  await browser.close();
}
