// The server outlives whatever it is sent, answers every request once, and ends as the protocol says.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CancellationTokenSource } from "vscode-jsonrpc/node.js";
import { Editor, folder, position, program } from "./client.mjs";

const models = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../models");
const framed = (body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const message = (value) => framed(JSON.stringify({ jsonrpc: "2.0", ...value }));

/** The answers of a server to these bytes, and its exit code. */
function session(bytes) {
  return new Promise((resolve) => {
    const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    const chunks = [];
    server.stdout.on("data", (chunk) => chunks.push(chunk));
    server.on("exit", (code, signal) => {
      const answers = [];
      for (let rest = Buffer.concat(chunks); rest.length > 0;) {
        const length = Number(/Content-Length: (\d+)\r\n\r\n/.exec(rest.toString("latin1"))[1]);
        const begin = rest.indexOf("\r\n\r\n") + 4;
        answers.push(JSON.parse(rest.toString("utf8", begin, begin + length)));
        rest = rest.subarray(begin + length);
      }
      resolve({ answers, code: signal ?? code });
    });
    server.stdin.on("error", () => {});
    server.stdin.end(bytes);
  });
}
const initialize = message({ id: 0, method: "initialize", params: { capabilities: {} } });
const goodbye = message({ id: 99, method: "shutdown" }) + message({ method: "exit" });

test("shutdown and exit", async () => {
  assert.equal((await session(initialize + goodbye)).code, 0);
  assert.equal((await session(initialize + message({ method: "exit" }))).code, 1);
  assert.equal((await session(initialize)).code, 1);
  assert.equal((await session("")).code, 1);
  const late = await session(initialize + message({ id: 1, method: "shutdown" }) + message({ id: 2, method: "textDocument/hover", params: {} }) + message({ method: "exit" }));
  assert.deepEqual(late.answers.map((one) => one.error?.code), [undefined, undefined, -32600]);
  const early = await session(message({ id: 1, method: "textDocument/hover", params: {} }) + initialize + initialize + goodbye);
  assert.deepEqual(early.answers.map((one) => one.error?.code), [-32002, undefined, -32600, undefined]);
});

test("malformed messages are answered, and the next one is read", async () => {
  const uri = "file:///tmp/none.nsm";
  const broken = [
    ["Content-Length: x\r\n\r\n", -32700], ["Nonsense: 1\r\n\r\n", -32700], [framed("{"), -32700], [framed("\"text\""), -32600], [framed("[]"), -32600],
    [framed("17"), -32600], [framed("null"), -32600], [framed("{}"), -32600], [framed("\xff"), -32700], [framed("[".repeat(100000)), -32700],
    [framed(`${"[".repeat(50000)}${"]".repeat(50000)}`), -32600],
    [message({ id: 1, method: 7 }), -32600], [message({ id: {}, method: "shutdown" }), -32600], [message({ id: 2, method: "no/such" }), -32601],
    [message({ id: 3, method: "textDocument/hover" }), -32602], [message({ id: 4, method: "textDocument/hover", params: [] }), -32602],
    [message({ id: 5, method: "textDocument/hover", params: { textDocument: { uri }, position: { line: 0, character: 0 } } }), -32602],
    [message({ id: 6, method: "textDocument/completion", params: { textDocument: 3 } }), -32602],
  ];
  const { answers, code } = await session(initialize + broken.map(([bytes]) => bytes).join("") + goodbye);
  assert.equal(code, 0);
  assert.deepEqual(answers.slice(1, -1).map((one) => one.error?.code), broken.map(([, wanted]) => wanted));
  assert.deepEqual(answers.at(-1), { jsonrpc: "2.0", id: 99, result: null });
});

test("notices that do not fit are left out", async () => {
  const uri = "file:///tmp/some.nsm";
  const notices = [
    { method: "textDocument/didOpen" }, { method: "textDocument/didOpen", params: { textDocument: { uri } } }, { method: "textDocument/didOpen", params: 3 },
    { method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "nsm", version: 1, text: "param a = 1\n" } } },
    { method: "textDocument/didChange", params: { textDocument: { uri: "file:///tmp/other.nsm" }, contentChanges: [{ text: "" }] } },
    { method: "textDocument/didChange", params: { textDocument: { uri }, contentChanges: [{ range: { start: { line: -1, character: 0 }, end: { line: 0, character: 0 } }, text: "" }] } },
    { method: "textDocument/didChange", params: { textDocument: { uri }, contentChanges: [{ range: { start: { line: 1e9, character: 1e15 }, end: { line: 0, character: 3 } }, text: "x" }] } },
    { method: "textDocument/didChange", params: { textDocument: { uri }, contentChanges: 5 } },
    { method: "textDocument/didClose", params: {} }, { method: "$/setTrace", params: { value: "off" } }, { method: "$/cancelRequest", params: { id: 12345 } }, { method: "$/cancelRequest" },
    { method: "workspace/didChangeWatchedFiles" },
  ];
  const hover = { id: 7, method: "textDocument/hover", params: { textDocument: { uri }, position: { line: 4000000000, character: 4000000000 } } };
  const { answers, code } = await session(initialize + notices.map(message).join("") + message(hover) + goodbye);
  assert.equal(code, 0);
  assert.deepEqual(answers.filter((one) => "id" in one).map((one) => [one.id, one.error?.code]), [[0, undefined], [7, undefined], [99, undefined]]);
});

test("messages that were cut, doubled and mixed up at random do not end it", async () => {
  // Always the same numbers.
  let state = 12345;
  const random = (n) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % n;
  const good = [initialize, message({ method: "textDocument/didOpen", params: { textDocument: { uri: "file:///tmp/a.nsm", text: "param a = 1 [kg]\nlet b = a\n", version: 1, languageId: "nsm" } } }),
    message({ id: 1, method: "textDocument/completion", params: { textDocument: { uri: "file:///tmp/a.nsm" }, position: { line: 1, character: 9 } } }),
    message({ id: 2, method: "textDocument/semanticTokens/full", params: { textDocument: { uri: "file:///tmp/a.nsm" } } })];
  for (let round = 0; round < 25; ++round) {
    let bytes = Buffer.from(Array.from({ length: 8 }, () => good[random(good.length)]).join(""));
    for (let k = 0; k < 6; ++k) {
      const at = random(bytes.length);
      if (random(3) === 0) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(20))]);
      else bytes[at] = random(256);
    }
    const { code } = await session(bytes);
    assert.ok(code === 0 || code === 1, `round ${round} ended with ${code}`);
  }
});

test("a request can be cancelled, and every request has one answer", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const { uri } = folder(t, {});
  const text = readFileSync(path.join(models, "tippe_top.nsm"), "utf8");
  await editor.open(uri("top.nsm"), text);
  const sources = Array.from({ length: 40 }, () => new CancellationTokenSource());
  const asked = sources.map((source) => editor.ask("textDocument/semanticTokens/full", { textDocument: { uri: uri("top.nsm") } }, source.token).then(() => "done", (error) => error.code));
  for (const source of sources.slice(20)) source.cancel();
  const answers = await Promise.all(asked);
  assert.ok(answers.slice(0, 20).every((one) => one === "done"));
  assert.ok(answers.slice(20).every((one) => one === "done" || one === -32800));
  assert.ok(answers.includes(-32800), "none was cancelled in time");
});

test("a derivation that takes long holds up nothing", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const { uri } = folder(t, {});
  // A dense mass matrix of expressions: seconds of derivation.
  const n = 60;
  const coordinates = Array.from({ length: n }, (_, i) => `coord q${i} [rad] = 0.1\n`).join("");
  const sum = Array.from({ length: n }, (_, i) => `sin(q${i})*q${i}'`).join(" + ");
  const slow = `model slow\n${coordinates}kinetic 1 [kg m^2]/2*(${sum})^2\n${Array.from({ length: n }, (_, i) => `kinetic 1 [kg m^2]*q${i}'^2\n`).join("")}`;
  await editor.open(uri("slow.nsm"), slow);
  const start = performance.now();
  const { items } = await editor.at(uri("slow.nsm"), `${slow}output a = |`, "textDocument/completion");
  assert.ok(items.some((item) => item.label === "q0"));
  await editor.replace(uri("slow.nsm"), `${slow}output a = nowhere\n`);
  await editor.until(uri("slow.nsm"), (list) => list.some((one) => one.message.includes("nowhere")));
  const seconds = (performance.now() - start) / 1000;
  assert.ok(seconds < 10, `${seconds} s`);
  assert.equal(await editor.stop(), 0);
});

test("every prefix of every model, as somebody types it", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const files = [...readdirSync(models), ...readdirSync(path.join(models, "std")).map((name) => `std/${name}`)].filter((name) => name.endsWith(".nsm"));
  assert.ok(files.length > 30);
  const asked = ["completion", "hover", "signatureHelp", "foldingRange"];
  const fresh = ["definition", "documentSymbol", "semanticTokens/full"];
  for (const file of files) {
    const text = readFileSync(path.join(models, file), "utf8");
    const uri = pathToFileURL(path.join(models, file)).href;
    await editor.open(uri, "");
    // So many prefixes of each, at the ends of words and in between.
    const step = Math.max(1, Math.floor(text.length / 60));
    for (let end = step; end <= text.length; end += step) {
      await editor.replace(uri, text.slice(0, end));
      const at = { textDocument: { uri }, position: position(text, end) };
      for (const method of asked) await editor.ask(`textDocument/${method}`, at);
      // Those that need the newest text may say that it is still being looked at.
      for (const method of fresh) await editor.ask(`textDocument/${method}`, at).catch((error) => assert.equal(error.code, -32801));
    }
    await editor.replace(uri, text);
    await editor.clean(uri);
    await editor.tell("textDocument/didClose", { textDocument: { uri } });
  }
  assert.equal(await editor.stop(), 0);
});
