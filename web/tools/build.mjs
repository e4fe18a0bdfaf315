// Bundles src/main.ts, its styles and fonts into one HTML file that needs nothing else:
//   node tools/build.mjs [--out FILE] [--check-only]
// In:  src/page.html with the words NSMC_STYLE and NSMC_SCRIPT, src/main.ts. Out: dist/view.html, in which the word NSMC_DATA
// stands where `nsmc view` writes the data.
import * as esbuild from "esbuild";
import { mkdirSync, readFileSync, writeFileSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const limit = 1.5e6; // bytes: what a page may weigh without its data

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

const out = resolve(argument("--out") ?? join(root, "dist", "view.html"));
const result = await esbuild.build({
  entryPoints: [join(root, "src", "main.ts")],
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "iife",
  target: ["chrome110", "firefox115", "safari16"],
  loader: { ".woff2": "dataurl" },
  plugins: [katexFonts],
  legalComments: "none",
  write: false,
  outdir: join(root, "dist"),
  logLevel: "warning",
});
const text = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? "";
// `</script` in a string of the bundle would end the element it stands in; a replacement function keeps `$&` as it is.
const script = text(".js").replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
if (script.includes("NSMC_DATA")) throw new Error("the bundle contains the word NSMC_DATA, which must occur once in the page");
const page = readFileSync(join(root, "src", "page.html"), "utf8")
  .replace("NSMC_STYLE", () => text(".css"))
  .replace("NSMC_SCRIPT", () => script);
const bytes = Buffer.byteLength(page);
if (bytes > limit) throw new Error(`view.html has ${bytes} bytes, more than ${limit}`);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out + ".part", page);
renameSync(out + ".part", out);
console.log(`${out}: ${Math.round(bytes / 1000)} kB`);
