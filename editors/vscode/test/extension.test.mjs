// The extension as it is packed, and its commands with a stand-in for VS Code, which cannot be had here: what they ask VS Code for is
// what VS Code's own types say, and what nsmc answers is real.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

// What is in an archive, by name: functions that unpack it. The central directory at its end says where.
function unpacked(archive) {
  const data = readFileSync(archive), found = new Map();
  for (let at = data.indexOf("PK\x01\x02"); at >= 0; at = data.indexOf("PK\x01\x02", at + 4)) {
    const local = data.readUInt32LE(at + 42), size = data.readUInt32LE(at + 20), stored = data.readUInt16LE(at + 10) === 0;
    const begin = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const bytes = data.subarray(begin, begin + size);
    found.set(data.toString("utf8", at + 46, at + 46 + data.readUInt16LE(at + 28)), () => (stored ? bytes : inflateRawSync(bytes)).toString("utf8"));
  }
  return found;
}

test("it is packed into a .vsix with all that it names", () => {
  execFileSync("npm", ["run", "package"], { cwd: root, stdio: "pipe" });
  const files = unpacked(path.join(root, "dist/nsmc.vsix"));
  const names = [...files.keys()];
  const wanted = [manifest.main, manifest.contributes.grammars[0].path, manifest.contributes.languages[0].configuration, "package.json"];
  for (const name of wanted) assert.ok(names.includes(`extension/${name.replace("./", "")}`), `${name} is missing: ${names}`);
  const version = /project\(nsmc VERSION ([0-9.]+)/.exec(readFileSync(path.join(root, "../../CMakeLists.txt"), "utf8"))[1];
  assert.equal(JSON.parse(files.get("extension/package.json")()).version, version);
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

// Anything that is asked of it is there, can be called and does nothing; `known` is what the commands are looked at by.
function standIn(known) {
  const nothing = new Proxy(function () {}, {
    get: (target, name) => (name === "prototype" ? target.prototype : name === "then" || name === Symbol.iterator ? undefined : name === Symbol.toPrimitive ? () => "" : nothing),
    apply: () => nothing,
    construct: () => ({}),
  });
  const over = (object) => new Proxy(object, { get: (target, name) => (name in target ? target[name] : nothing) });
  return over(Object.fromEntries(Object.entries(known).map(([name, value]) => [name, typeof value === "object" ? over(value) : value])));
}

test("its commands run, view and show equations", { skip: !process.env.NSMC_PROGRAM }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "nsmc-vscode-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "a ball.nsm");
  writeFileSync(file, "model ball\ncoord z [m] = 1\nkinetic 1/2*1 [kg]*z'^2\npotential 9.81 [N]*z\ncontact floor { gap z  law unilateral }\nsimulate { until 1 [s]  step 1 [ms] }\n");
  const commands = {}, shown = { tasks: [], panels: [], texts: [], errors: [] };
  const vscode = standIn({
    commands: { registerCommand: (name, action) => ((commands[name] = action), { dispose() {} }) },
    tasks: { executeTask: async (task) => shown.tasks.push(task) },
    Task: class { constructor(definition, scope, name, source, execution) { Object.assign(this, { definition, name, source, execution }); } },
    TaskScope: { Workspace: 2 },
    ProgressLocation: { Notification: 15 },
    ViewColumn: { Beside: -2 },
    ProcessExecution: class { constructor(process, args, options) { Object.assign(this, { process, args, options }); } },
    window: {
      activeTextEditor: { document: { languageId: "nsm", isDirty: false, isUntitled: false, uri: { fsPath: file } } },
      withProgress: async (_options, action) => action(),
      createWebviewPanel: () => { shown.panels.push({ webview: {} }); return shown.panels.at(-1); },
      showTextDocument: async (document) => shown.texts.push(document.content),
      showErrorMessage: async (message) => { shown.errors.push(message); },
      showWarningMessage: async (message) => { shown.errors.push(message); },
    },
    workspace: {
      getConfiguration: () => ({ get: (name) => (name === "path" ? process.env.NSMC_PROGRAM : []) }),
      onDidChangeConfiguration: () => ({ dispose() {} }),
      openTextDocument: async (options) => options,
    },
  });
  const load = Module._load;
  Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
  t.after(() => { Module._load = load; });
  const extension = createRequire(import.meta.url)(path.join(root, "dist/extension.js"));
  // The client of the protocol asks more of VS Code than stands here; what it does is tested in tests/lsp.
  await Promise.race([extension.activate({ subscriptions: [] }).catch(() => {}), new Promise((resolve) => setTimeout(resolve, 500))]);
  t.after(() => extension.deactivate().catch(() => {}));
  assert.deepEqual(Object.keys(commands).sort(), manifest.contributes.commands.map((one) => one.command).sort());
  shown.errors.length = 0; // of the client

  await commands["nsmc.run"]();
  const { definition, execution } = shown.tasks[0];
  assert.ok(manifest.contributes.taskDefinitions.some((one) => one.type === definition.type));
  assert.match(execFileSync(execution.process, execution.args, { cwd: execution.options.cwd, encoding: "utf8" }), /^ball: /);

  await commands["nsmc.view"]();
  assert.equal(shown.panels.length, 1, shown.errors.join());
  assert.match(shown.panels[0].webview.html, /^<!doctype html>/i);
  assert.match(shown.panels[0].webview.html, /"name": ?"ball"/);

  await commands["nsmc.equations"]();
  assert.match(shown.texts[0], /z/);
  assert.deepEqual(shown.errors, []);

  writeFileSync(file, "coord z [m] = 1 +\n");
  await commands["nsmc.view"]();
  assert.equal(shown.panels.length, 1);
  assert.match(shown.errors[0], /error\[N/);
});
