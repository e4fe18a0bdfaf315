// The grammar by the engine of VS Code, on all models: what each word is, compared with what the words, numbers and signs are.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "../../..");
const grammarFile = path.join(here, "../syntaxes/nsm.tmLanguage.json");

const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns), createOnigString: (text) => new oniguruma.OnigString(text) }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
});
const grammar = await registry.loadGrammar("source.nsm");

/** [text, innermost scope] of every piece. */
function pieces(text) {
  let state = textmate.INITIAL;
  const all = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) all.push([line.slice(startIndex, endIndex), scopes.at(-1)]);
  }
  return all;
}
const scope = (text, word) => pieces(text).find(([piece]) => piece.trim() === word)?.[1];

test("words are what they are where they stand", () => {
  const expected = [
    ["param m = 2 [kg] \"mass\"", { param: "keyword.declaration.nsm", m: "entity.name.nsm", 2: "constant.numeric.nsm", "[kg]": "constant.other.unit.nsm", '"mass"': "string.quoted.double.nsm" }],
    ["coord z [m] = 1", { coord: "keyword.declaration.nsm", z: "entity.name.nsm", "[m]": "constant.other.unit.nsm" }],
    ["coord x[i in 1..n] [m] = i*d", { x: "entity.name.nsm", in: "keyword.operator.word.nsm", "[m]": "constant.other.unit.nsm", d: "variable.other.nsm" }],
    ["kinetic m/2*z'^2 // energy", { kinetic: "keyword.declaration.nsm", m: "variable.other.nsm", "// energy": "comment.line.double-slash.nsm" }],
    ["gravity [0, 0, -9.81] [m/s^2]", { gravity: "keyword.declaration.nsm", 9.81: "constant.numeric.nsm", "[m/s^2]": "constant.other.unit.nsm" }],
    ["  gap z - L  law unilateral(restitution = e)", { gap: "keyword.other.clause.nsm", law: "keyword.declaration.nsm", unilateral: "entity.name.nsm", restitution: "variable.parameter.nsm", e: "variable.other.nsm" }],
    ["let a = floor.gap + T[2]*sin(t)", { let: "keyword.declaration.nsm", gap: "variable.other.member.nsm", T: "variable.other.nsm", sin: "support.function.nsm", t: "constant.language.nsm" }],
    ["  slip in normal_cone(ball(mu*N, 2), -T)", { slip: "keyword.other.clause.nsm", in: "keyword.operator.word.nsm", normal_cone: "support.function.nsm", ball: "support.type.set.nsm", mu: "variable.other.nsm" }],
    ["param ω₀ = 1 [1/s]", { "ω₀": "entity.name.nsm", "[1/s]": "constant.other.unit.nsm" }],
    ["param r = 1e-3 [mm] in 0..1", { "1e-3": "constant.numeric.nsm", "[mm]": "constant.other.unit.nsm" }],
    ["let v = [x, y]", { x: "variable.other.nsm", y: "variable.other.nsm" }],
    ["let forced = modelled", { forced: "entity.name.nsm", modelled: "variable.other.nsm" }],
  ];
  for (const [text, words] of expected) {
    for (const [word, wanted] of Object.entries(words)) assert.equal(scope(text, word), wanted, `${word} in: ${text}`);
  }
});

test("comments of several lines end where they end", () => {
  const all = pieces("/* one\nparam two\n*/ param k = 1");
  assert.ok(all.filter(([piece]) => piece.includes("two")).every(([, name]) => name === "comment.block.nsm"));
  assert.ok(all.some(([piece, name]) => piece === "param" && name === "keyword.declaration.nsm"));
});

test("in every model, comments, strings, numbers, units and keywords are scoped", () => {
  const declarations = [...readFileSync(path.join(root, "grammar/Nsm.g4"), "utf8").matchAll(/^([A-Z]+) : '([a-z]+)'/gm)].map(([, , word]) => word);
  assert.ok(declarations.length > 45);
  const folder = path.join(root, "models");
  const files = [...readdirSync(folder), ...readdirSync(path.join(folder, "std")).map((name) => `std/${name}`)].filter((name) => name.endsWith(".nsm"));
  assert.ok(files.length > 30);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), "utf8");
    const all = pieces(text);
    for (const [piece, name] of all) {
      const what = `${JSON.stringify(piece)} in ${file} is ${name}`;
      const outside = !/^(comment|string)/.test(name);
      if (piece.startsWith("//")) assert.equal(name, "comment.line.double-slash.nsm", what);
      if (outside && /^[0-9]/.test(piece.trim())) assert.match(name, /numeric/, what);
      if (outside) assert.ok(!/["]/.test(piece), what);
    }
    // The first word of every line that is a declaration.
    let state = textmate.INITIAL;
    for (const line of text.split("\n")) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      const word = /^[a-z]+(?= )/.exec(line)?.[0];
      if (declarations.includes(word) && tokens[0].scopes.at(-1) !== "comment.block.nsm") assert.match(tokens[0].scopes.at(-1), /^keyword/, `${line} of ${file}`);
      // A number and its unit.
      for (const { index, 0: match, 1: unit } of line.replace(/(\/\/|").*$/, "").matchAll(/(?<![\w.)\]])[0-9][0-9.]*(?:e-?[0-9]+)? (\[[a-zA-Z/^*1 0-9-]+\])/g)) {
        const at = index + match.length - unit.length;
        const token = tokens.find((one) => one.startIndex <= at && at < one.endIndex);
        if (!/^comment/.test(token.scopes.at(-1))) assert.equal(token.scopes.at(-1), "constant.other.unit.nsm", `${match} of ${file}`);
      }
    }
  }
});
