// How long the language server takes to answer after a change: every model of models/, and one of 5000 lines.
//   node bench/lsp.mjs [build/nsmc]
// Prints a row for each request: the median, the slowest, and the model it was for. Fails if a bound is passed: 50 ms, 300 ms for 5000
// lines (NSMC_LSP_BENCH=report: never).
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const server = spawn(process.argv[2] ?? path.join(root, "build/nsmc"), ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });

const waiting = new Map();
let buffer = Buffer.alloc(0), next = 0;
server.stdout.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const header = buffer.indexOf("\r\n\r\n");
    if (header < 0) return;
    const end = header + 4 + Number(/Content-Length: (\d+)/.exec(buffer.toString("latin1", 0, header))[1]);
    if (buffer.length < end) return;
    const answer = JSON.parse(buffer.toString("utf8", header + 4, end));
    buffer = buffer.subarray(end);
    waiting.get(answer.id)?.(answer);
  }
});
function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
const ask = (method, params) => new Promise((resolve) => {
  const id = ++next;
  waiting.set(id, resolve);
  send({ id, method, params });
});

// Parameters, coordinates, contacts and functions, as people write them.
function long(lines) {
  let text = 'model long "a model of many lines"\nparam g = 9.81 [m/s^2]\n', count = 2;
  const add = (part) => {
    text += part;
    count += part.split("\n").length - 1;
  };
  for (let i = 1; count < lines / 2; ++i)
    add(`param m${i} = ${1 + (i % 7)} [kg]  "mass ${i}"\nparam k${i} = ${50 + i} [N/m]\ncoord x${i} [m] = 0.1\ncoord z${i} [m] = ${i}\nkinetic m${i}/2*(x${i}'^2 + z${i}'^2)  // its energy\npotential m${i}*g*z${i} + k${i}/2*x${i}^2\ncontact c${i} {\n  gap z${i}\n  slip x${i}'\n  law unilateral(0.${i % 9})\n  law coulomb(0.3)\n}\n\n`);
  for (let i = 1; count < lines; ++i)
    add(`param a${i} = ${1 + (i % 7)} [kg]\nparam b${i} = a${i}*2 + ${i} [kg]\nfn f${i}(x, y = 1) = x*sin(y) + norm([x, y])\nlet l${i} = f${i}(a${i}/b${i}, y = 2)\n\n`);
  return text;
}

const folder = path.join(root, "models");
const texts = readdirSync(folder).filter((name) => name.endsWith(".nsm")).map((name) => [name, readFileSync(path.join(folder, name), "utf8"), 50]);
texts.push(["5000 lines", long(5000), 300]);

await ask("initialize", { capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } } });
send({ method: "initialized", params: {} });
const requests = ["completion", "hover", "definition", "references", "documentSymbol", "foldingRange", "semanticTokens/full", "signatureHelp", "formatting", "codeAction"];
const times = [];
for (const [name, text, bound] of texts) {
  const uri = `file://${folder}/${name.replace(" ", "_")}`;
  send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "nsm", version: 1, text } } });
  const lines = text.split("\n");
  const line = lines.findIndex((one) => /^(kinetic|gravity|body)/.test(one));
  const position = { line, character: lines[line].length - 1 };
  let version = 1;
  for (const method of requests) {
    for (let round = 0; round < 5; ++round) {
      // Something was typed at the end, and the editor asks at once.
      send({ method: "textDocument/didChange", params: { textDocument: { uri, version: ++version }, contentChanges: [{ range: { start: { line: 1e6, character: 0 }, end: { line: 1e6, character: 0 } }, text: round % 2 ? "\n" : "// x" }] } });
      const begin = performance.now();
      const answer = await ask(`textDocument/${method}`, { textDocument: { uri }, position, range: { start: position, end: position }, context: { diagnostics: [], includeDeclaration: true }, options: {} });
      times.push({ method, name, bound, ms: performance.now() - begin, refused: answer.error?.message });
    }
  }
  send({ method: "textDocument/didClose", params: { textDocument: { uri } } });
}
await ask("shutdown", null);
send({ method: "exit" });

let late = 0;
for (const group of [texts.slice(0, -1), texts.slice(-1)]) {
  const names = group.map(([name]) => name), bound = group[0][2];
  console.log(`${names.length === 1 ? names[0] : `${names.length} models`}, at most ${bound} ms`);
  for (const method of requests) {
    const of = times.filter((one) => one.method === method && names.includes(one.name)).sort((a, b) => a.ms - b.ms);
    const slowest = of.at(-1);
    const over = of.filter((one) => one.ms > bound || one.refused).length;
    late += over;
    console.log(`  ${method.padEnd(20)} median ${of[of.length >> 1].ms.toFixed(1).padStart(6)} ms, slowest ${slowest.ms.toFixed(1).padStart(6)} ms (${slowest.name})${over ? `, ${over} of ${of.length} too late or refused` : ""}`);
  }
}
process.exit(late > 0 && process.env.NSMC_LSP_BENCH !== "report" ? 1 : 0);
