// Bundles scripts, styles and fonts into HTML files that need nothing else:
//   node tools/build.mjs [--out FOLDER]
// In:  src/page.html with the words NSMC_STYLE and NSMC_SCRIPT, and what each page begins with. Out: view.html, in which the word
// NSMC_DATA stands where `nsmc view` writes the data, and studio.html; licenses.txt, those of the packages that are in them.
import * as esbuild from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// KaTeX's style sheet names every font three times; Chromium, Firefox and Safari all read woff2. Of its families those are
// kept that nsmc's equations use: no Fraktur, script, sans-serif or typewriter letters.
const mathFonts = ["Main-Regular", "Main-Bold", "Main-Italic", "Math-Italic", "Math-BoldItalic", "AMS-Regular",
  "Caligraphic-Regular", "Size1-Regular", "Size2-Regular", "Size3-Regular", "Size4-Regular"];
const katexFonts = {
  name: "katex-fonts",
  setup(build) {
    build.onLoad({ filter: /katex(\.min)?\.css$/ }, (args) => ({
      loader: "css",
      contents: readFileSync(args.path, "utf8").replace(/@font-face\s*\{[^}]*\}/g, (face) => {
        if (!mathFonts.some((font) => face.includes(`KaTeX_${font}.woff2`))) return "";
        return face.replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\([^)]*\)/g, "");
      }),
    }));
  },
};

function argument(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

// What a page begins with, and the bytes that it may have without its data.
const pages = { "view.html": { entry: "main.ts", limit: 1.5e6 }, "studio.html": { entry: "studio/main.ts", limit: 2e6 } };
const folder = resolve(argument("--out") ?? join(root, "dist"));

function write(name, text) {
  const out = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(out + ".part", text);
  renameSync(out + ".part", out);
  return out;
}

const bundled = new Set(); // packages, by their folder below node_modules

async function build(name, { entry, limit }) {
  const result = await esbuild.build({
    entryPoints: [join(root, "src", entry)],
    bundle: true,
    minify: true,
    charset: "utf8",
    format: "iife",
    target: ["chrome110", "firefox115", "safari16"],
    loader: { ".woff2": "dataurl" },
    plugins: [katexFonts],
    legalComments: "none",
    write: false,
    metafile: true,
    outdir: folder,
    logLevel: "warning",
  });
  for (const file of Object.keys(result.metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (found) bundled.add(found[1]);
  }
  const text = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? "";
  // `</script` in a string of the bundle would end the element it stands in; a replacement function keeps `$&` as it is.
  const script = text(".js").replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
  if (script.includes("NSMC_DATA")) throw new Error("the bundle contains the word NSMC_DATA, which must occur once in the page");
  const page = readFileSync(join(root, "src", "page.html"), "utf8")
    .replace("NSMC_STYLE", () => text(".css"))
    .replace("NSMC_SCRIPT", () => script);
  const bytes = Buffer.byteLength(page);
  if (bytes > limit) throw new Error(`${name} has ${bytes} bytes, more than ${limit}`);
  console.log(`${write(name, page)}: ${Math.round(bytes / 1000)} kB`);
}

for (const [name, page] of Object.entries(pages)) await build(name, page);

// Each package with its licence, as their licences ask.
const licenses = [...bundled].sort().map((name) => {
  const place = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  const file = readdirSync(place).find((one) => /^licen[sc]e/i.test(one));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(place, file), "utf8").trim() : "See the page of the package."}\n`;
});
write("licenses.txt", licenses.join(`\n${"-".repeat(80)}\n\n`));
