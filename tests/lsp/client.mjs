// An editor without a screen: starts nsmc lsp and speaks the protocol with it, by the library that VS Code uses.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node.js";

export const program = process.env.NSMC_PROGRAM;
if (!program) throw new Error("NSMC_PROGRAM is not set: it is the nsmc that is tested");

export const abilities = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    hover: { contentFormat: ["markdown"] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: { relatedInformation: true },
  },
};

/** A folder with these files, gone when the test is over. */
export function folder(t, files) {
  const place = realpathSync(mkdtempSync(path.join(tmpdir(), "nsmc-lsp-")));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text);
  return { path: (name) => path.join(place, name), uri: (name) => pathToFileURL(path.join(place, name)).href };
}

export class Editor {
  constructor(t, options = {}) {
    this.server = spawn(options.program ?? program, ["lsp", ...(options.arguments ?? [])], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...options.env } });
    this.ended = new Promise((resolve) => this.server.on("exit", (code, signal) => resolve(signal ?? code)));
    this.connection = createMessageConnection(new StreamMessageReader(this.server.stdout), new StreamMessageWriter(this.server.stdin));
    this.diagnostics = new Map();
    this.waiting = [];
    this.connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
      this.diagnostics.set(uri, diagnostics);
      for (const wait of [...this.waiting]) wait();
    });
    this.registrations = [];
    this.connection.onRequest("client/registerCapability", ({ registrations }) => void this.registrations.push(...registrations));
    this.connection.onError(() => {});
    this.connection.listen();
    this.texts = new Map();
    t.after(() => this.server.kill());
  }

  async start(capabilities = abilities) {
    const answer = await this.ask("initialize", { processId: process.pid, rootUri: null, capabilities });
    await this.connection.sendNotification("initialized", {});
    return answer.capabilities;
  }

  ask(method, parameters, token) {
    return token ? this.connection.sendRequest(method, parameters, token) : this.connection.sendRequest(method, parameters);
  }
  tell(method, parameters) {
    return this.connection.sendNotification(method, parameters);
  }

  async open(uri, text) {
    this.texts.set(uri, { version: 1, text });
    await this.tell("textDocument/didOpen", { textDocument: { uri, languageId: "nsm", version: 1, text } });
  }
  /** The whole text anew. */
  async replace(uri, text) {
    const version = this.texts.get(uri).version + 1;
    this.texts.set(uri, { version, text });
    await this.tell("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  }
  /** What stands in a range. */
  async edit(uri, range, text) {
    const before = this.texts.get(uri);
    const version = before.version + 1;
    this.texts.set(uri, { version, text: before.text });
    await this.tell("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ range, text }] });
  }

  /** Waits until the diagnostics of a document are as they should be. */
  async until(uri, fits, patience = 20000) {
    const known = () => this.diagnostics.has(uri) && fits(this.diagnostics.get(uri));
    if (!known()) {
      await new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no such diagnostics of ${uri}: ${JSON.stringify(this.diagnostics.get(uri))}`)), patience);
        const look = () => {
          if (!known()) return;
          clearTimeout(late);
          this.waiting.splice(this.waiting.indexOf(look), 1);
          resolve();
        };
        this.waiting.push(look);
      });
    }
    return this.diagnostics.get(uri);
  }
  clean(uri) {
    return this.until(uri, (list) => list.length === 0);
  }

  /** What a request answers at the place of `|` in the text, which is taken out of it. */
  async at(uri, marked, method, more = {}) {
    const offset = marked.indexOf("|");
    const text = marked.slice(0, offset) + marked.slice(offset + 1);
    if (this.texts.has(uri)) await this.replace(uri, text);
    else await this.open(uri, text);
    return this.ask(method, { textDocument: { uri }, position: position(text, offset), ...more });
  }

  async stop() {
    await this.ask("shutdown", null);
    await this.tell("exit", null);
    return this.ended;
  }
}

/** In UTF-16, as the protocol counts. */
export function position(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}
/** The text in a range. */
export function within(text, range) {
  const lines = text.split("\n");
  const offset = ({ line, character }) => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return text.slice(offset(range.start), offset(range.end));
}
