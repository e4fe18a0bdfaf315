// The extension as it is packed, with a stand-in for VS Code: it starts the language server that the settings name, and its commands
// call nsmc.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

test("it is packed into a .vsix with all that it names", () => {
  execFileSync("npm", ["run", "package"], { cwd: root, stdio: "pipe" });
  const names = execFileSync(process.execPath, ["-e", `
    const { readFileSync } = require("node:fs");
    // The central directory of the archive.
    const data = readFileSync(process.argv[1]);
    for (let at = data.indexOf("PK\\x01\\x02"); at >= 0; at = data.indexOf("PK\\x01\\x02", at + 4)) console.log(data.toString("utf8", at + 46, at + 46 + data.readUInt16LE(at + 28)));
  `, path.join(root, "dist/nsmc.vsix")], { encoding: "utf8" }).split("\n");
  const wanted = [manifest.main, manifest.contributes.grammars[0].path, manifest.contributes.languages[0].configuration, "package.json"];
  for (const name of wanted) assert.ok(names.includes(`extension/${name.replace("./", "")}`), `${name} is missing: ${names}`);
  const packed = execFileSync("unzip", ["-p", path.join(root, "dist/nsmc.vsix"), "extension/package.json"], { encoding: "utf8" });
  const version = /project\(nsmc VERSION ([0-9.]+)/.exec(readFileSync(path.join(root, "../../CMakeLists.txt"), "utf8"))[1];
  assert.equal(JSON.parse(packed).version, version);
  assert.ok(!names.some((name) => name.includes("node_modules") || name.includes("test/")));
});

test("types are right", () => {
  execFileSync(process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", root], { stdio: "pipe" });
});

test("every command that it offers is there", () => {
  const source = readFileSync(path.join(root, "src/extension.ts"), "utf8");
  for (const { command } of manifest.contributes.commands) assert.ok(source.includes(`"${command}":`), command);
  for (const menu of Object.values(manifest.contributes.menus)) {
    for (const { command } of menu) assert.ok(manifest.contributes.commands.some((one) => one.command === command), command);
  }
});
