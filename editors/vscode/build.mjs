// Bundles the extension and the client of the protocol into one file: dist/extension.js.
import * as esbuild from "esbuild";

await esbuild.build({
  entryPoints: ["src/extension.ts"],
  bundle: true,
  minify: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  outfile: "dist/extension.js",
  logLevel: "warning",
});
