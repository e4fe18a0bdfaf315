// References, rename, outline, folding, layout, fixes, colours and signatures.
import assert from "node:assert/strict";
import test from "node:test";
import { abilities, Editor, folder, position, within } from "./client.mjs";

const block = `model block "A block that slides"
// It is pushed
// and slides.
param m = 2 [kg]
param mu = 0.3
coord x [m]
coord z [m]
initial x' = 1 [m/s]
fn square(v) = v*v
kinetic m/2*(square(x') + square(z'))
potential m*9.81 [m/s^2]*z
law rough(mu) {
  force T
  let limit = mu*N
  slip in normal_cone(ball(limit, 1), -T)
}
contact table {
  gap z
  slip x'
  law unilateral
  law rough(mu)
}
output friction = table.T
simulate { until 1 [s]  step 1 [ms] }
`;

async function opened(t, text = block) {
  const editor = new Editor(t);
  await editor.start();
  const { uri } = folder(t, {});
  const name = uri("block.nsm");
  await editor.open(name, text);
  await editor.clean(name);
  return { editor, name };
}
/** The text after the edits of one document. */
function edited(text, edits) {
  const offset = ({ line, character }) => text.split("\n").slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)), text);
}

test("all places of a name, and of a local name only its own", async (t) => {
  const { editor, name } = await opened(t);
  const found = (await editor.at(name, block.replace("(mu)\n}", "(|mu)\n}"), "textDocument/references", { context: { includeDeclaration: true } }));
  assert.deepEqual(found.map((one) => one.range.start.line).sort((a, b) => a - b), [4, 20]);
  const local = await editor.at(name, block.replace("= mu*N", "= |mu*N"), "textDocument/references", { context: { includeDeclaration: false } });
  assert.deepEqual(local.map((one) => one.range.start.line), [13]);
  const highlights = await editor.at(name, block.replace("kinetic m", "kinetic |m"), "textDocument/documentHighlight");
  assert.deepEqual(highlights.map((one) => [one.range.start.line, one.kind]).sort((a, b) => a[0] - b[0]), [[3, 3], [9, 2], [10, 2]]);
});

test("a name is changed everywhere, its derivatives and its members, too", async (t) => {
  const { editor, name } = await opened(t);
  const rename = async (marked, newName) => edited(block, (await editor.at(name, marked, "textDocument/rename", { newName })).changes[name]);
  assert.equal(await rename(block.replace("gap z", "gap |z"), "height"), block.replace(/\bz\b/g, "height"));
  assert.equal(await rename(block.replace("rough(mu) {", "rou|gh(mu) {"), "grooved"), block.replaceAll("rough", "grooved"));
  // A force of a law is a member of the contacts that use it.
  assert.equal(await rename(block.replace("force T", "force |T"), "F"), block.replace("force T", "force F").replace("-T)", "-F)").replace("table.T", "table.F"));
  const prepared = await editor.at(name, block.replace("gap z", "gap z|"), "textDocument/prepareRename");
  assert.equal(prepared.placeholder, "z");
  assert.equal(within(block, prepared.range), "z");
  const refused = async (marked, newName, why) => assert.rejects(editor.at(name, marked, "textDocument/rename", { newName }), (error) => error.code === -32803 && why.test(error.message));
  await refused(block.replace("gap z", "gap |z"), "x", /already/);
  await refused(block.replace("gap z", "gap |z"), "law", /cannot be a name/);
  await refused(block.replace("gap z", "gap |z"), "pi", /cannot be a name/);
  await refused(block.replace("gap z", "gap |z"), "a b", /cannot be a name/);
  await refused(block.replace("law unilateral", "law |unilateral"), "mine", /standard library/);
  await refused(block.replace("= mu*N", "= |mu*N"), "limit", /already/);
});

test("a name is changed in the files that import it", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const files = folder(t, { "values.nsm": "param m = 2 [kg]\n" });
  const main = block.replace("param m = 2 [kg]\n", 'import "values.nsm"\n');
  await editor.open(files.uri("block.nsm"), main);
  await editor.clean(files.uri("block.nsm"));
  const { changes } = await editor.at(files.uri("values.nsm"), "param |m = 2 [kg]\n", "textDocument/rename", { newName: "mass_1" });
  assert.equal(edited(main, changes[files.uri("block.nsm")]), main.replace("kinetic m", "kinetic mass_1").replace("potential m", "potential mass_1"));
  assert.equal(edited("param m = 2 [kg]\n", changes[files.uri("values.nsm")]), "param mass_1 = 2 [kg]\n");
});

test("references and rename know the models on the disk that nobody opened", async (t) => {
  const editor = new Editor(t);
  await editor.start();
  const main = block.replace("param m = 2 [kg]\n", 'import "values.nsm"\n');
  const other = 'import "values.nsm"\ncoord y [m]\nkinetic m/2*y\'^2\nparam weight = 3 [kg]\n';
  const files = folder(t, {
    "values.nsm": "param m = 2 [kg]\n", "block.nsm": main, "other.nsm": other, "broken.nsm": 'import "values.nsm"\nparam k = m +\n',
    "apart.nsm": "param m = 7 [kg]\ncoord y [m]\nkinetic m/2*y'^2\n",
  });
  const values = "param |m = 2 [kg]\n", plain = "param m = 2 [kg]\n";
  await editor.open(files.uri("values.nsm"), plain);
  const places = await editor.at(files.uri("values.nsm"), values, "textDocument/references", { context: { includeDeclaration: true } });
  const count = (name) => places.filter((one) => one.uri === files.uri(name)).length;
  assert.deepEqual(["values.nsm", "block.nsm", "other.nsm", "apart.nsm"].map(count), [1, 2, 1, 0]);
  const { changes } = await editor.at(files.uri("values.nsm"), values, "textDocument/rename", { newName: "mass_1" });
  assert.equal(edited(plain, changes[files.uri("values.nsm")]), "param mass_1 = 2 [kg]\n");
  assert.equal(edited(main, changes[files.uri("block.nsm")]), main.replace("kinetic m", "kinetic mass_1").replace("potential m", "potential mass_1"));
  assert.equal(edited(other, changes[files.uri("other.nsm")]), other.replace("kinetic m", "kinetic mass_1"));
  assert.equal(changes[files.uri("apart.nsm")], undefined);
  // What would clash in one of them is refused, with its name.
  await assert.rejects(editor.at(files.uri("values.nsm"), values, "textDocument/rename", { newName: "weight" }), /'weight' already, in .*other\.nsm/);
  // From a model to the file that it imports, which is not open either.
  const from = new Editor(t);
  await from.start();
  await from.open(files.uri("block.nsm"), main);
  const back = await from.at(files.uri("block.nsm"), main.replace("kinetic m/2", "kinetic |m/2"), "textDocument/rename", { newName: "mass_1" });
  assert.deepEqual(Object.keys(back.changes).sort(), ["block.nsm", "broken.nsm", "other.nsm", "values.nsm"].map(files.uri).filter((uri) => uri in back.changes).sort());
  assert.ok(["block.nsm", "other.nsm", "values.nsm"].every((name) => files.uri(name) in back.changes));
});

test("the outline has every declaration, with or without levels", async (t) => {
  const { editor, name } = await opened(t);
  const symbols = await editor.ask("textDocument/documentSymbol", { textDocument: { uri: name } });
  assert.deepEqual(symbols.map((one) => one.name), ["m", "mu", "x", "z", "square", "rough", "table", "friction"]);
  const law = symbols.find((one) => one.name === "rough");
  assert.deepEqual(law.children.map((one) => one.name), ["T", "limit"]);
  assert.equal(within(block, law.selectionRange), "rough");
  assert.equal(within(block, law.range), block.slice(block.indexOf("law rough"), block.indexOf("contact table") - 1));
  const plain = new Editor(t);
  await plain.start({});
  await plain.open(name, block);
  const flat = await plain.ask("textDocument/documentSymbol", { textDocument: { uri: name } });
  assert.equal(flat.find((one) => one.name === "table").location.uri, name);
});

test("bodies and comments fold", async (t) => {
  const { editor, name } = await opened(t);
  const folds = await editor.ask("textDocument/foldingRange", { textDocument: { uri: name } });
  assert.deepEqual(folds.map((one) => [one.startLine, one.endLine, one.kind]), [[1, 2, "comment"], [11, 15, undefined], [16, 21, undefined]]);
});

test("the layout is that of nsmc fmt, and what is right stays untouched", async (t) => {
  const { editor, name } = await opened(t);
  const format = () => editor.ask("textDocument/formatting", { textDocument: { uri: name }, options: { tabSize: 2, insertSpaces: true } });
  assert.deepEqual(await format(), []);
  const crooked = block.replace("  gap z", "     gap    z").replace("slip x'\n", "slip   x'\n");
  await editor.replace(name, crooked);
  const edits = await format();
  assert.equal(edited(crooked, edits), block);
  assert.ok(edits[0].range.start.line >= 16 && edits[0].range.end.line <= 20, "only the lines that change");
  await editor.replace(name, block + "param = 1\n");
  assert.deepEqual(await format(), []);
});

test("what a hint says can be done for the user", async (t) => {
  const { editor, name } = await opened(t);
  const fixed = async (text) => {
    await editor.replace(name, text);
    const list = await editor.until(name, (all) => all.length > 0);
    const error = list.find((one) => /did you mean|semicolon/.test(one.message));
    const actions = await editor.ask("textDocument/codeAction", { textDocument: { uri: name }, range: error.range, context: { diagnostics: [error] } });
    const result = edited(text, actions[0].edit.changes[name]);
    await editor.replace(name, block);
    await editor.clean(name);
    return [actions[0].title, result];
  };
  assert.deepEqual(await fixed(block.replace("kinetic m", "kinetic mm")), ["write m", block]);
  assert.deepEqual(await fixed(block.replace("law unilateral", "law unilaterl")), ["write unilateral", block]);
  assert.deepEqual(await fixed(block.replace("table.T", "tabel.T")), ["write table", block]);
  assert.deepEqual(await fixed(block.replace("param mu = 0.3", "param mu = 0.3;")), ["leave out the semicolon", block]);
  const none = await editor.ask("textDocument/codeAction", { textDocument: { uri: name }, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, context: { diagnostics: [] } });
  assert.deepEqual(none, []);
});

test("colours by meaning", async (t) => {
  const editor = new Editor(t);
  const { semanticTokensProvider } = await editor.start();
  const { tokenTypes, tokenModifiers } = semanticTokensProvider.legend;
  const { uri } = folder(t, {});
  const name = uri("block.nsm");
  const text = `/* ω\n two */ param ω = 1 [1/s]\n${block}`;
  await editor.open(name, text);
  const { data } = await editor.ask("textDocument/semanticTokens/full", { textDocument: { uri: name } });
  assert.equal(data.length % 5, 0);
  const lines = text.split("\n");
  const found = [];
  for (let i = 0, line = 0, character = 0; i < data.length; i += 5) {
    character = data[i] > 0 ? data[i + 1] : character + data[i + 1];
    line += data[i];
    found.push([lines[line].slice(character, character + data[i + 2]), tokenTypes[data[i + 3]], tokenModifiers.filter((_, k) => data[i + 4] & (1 << k)).join(" ")]);
  }
  assert.deepEqual(found.slice(0, 6), [["/* ω", "comment", ""], [" two */", "comment", ""], ["param", "keyword", ""], ["ω", "variable", "declaration readonly"], ["1", "number", ""], ["1", "number", ""]]);
  const has = (word, type, modifiers) => assert.ok(found.some((one) => one[0] === word && one[1] === type && one[2] === modifiers), `${word} ${type} ${modifiers}`);
  has("s", "unit", "");
  has("square", "function", "declaration");
  has("unilateral", "function", "defaultLibrary");
  has("v", "parameter", "declaration");
  has("T", "property", "");
  has("until", "property", "defaultLibrary");
  has("table", "class", "declaration");
});

test("the arguments of the call that is being written", async (t) => {
  const { editor, name } = await opened(t);
  const help = await editor.at(name, block.replace("law rough(mu)\n}", "law coulomb(mu, |\n}"), "textDocument/signatureHelp");
  assert.equal(help.signatures[0].label, "coulomb(mu, restitution = 0)");
  assert.equal(help.activeParameter, 1);
  assert.equal(await editor.at(name, block.replace("gap z", "gap |z"), "textDocument/signatureHelp"), null);
});

test("positions are counted in UTF-8 where the client offers it", async (t) => {
  const editor = new Editor(t);
  const capabilities = await editor.start({ ...abilities, general: { positionEncodings: ["utf-8", "utf-16"] } });
  assert.equal(capabilities.positionEncoding, "utf-8");
  const { uri } = folder(t, {});
  const text = block.replace("output friction = table.T", '/* ω𝜔 */ output friction = tabel.T');
  await editor.open(uri("block.nsm"), text);
  const [error] = await editor.until(uri("block.nsm"), (list) => list.length === 1);
  const line = text.split("\n")[error.range.start.line];
  assert.equal(error.range.start.character, Buffer.byteLength(line.slice(0, line.indexOf("tabel"))));
  const other = new Editor(t);
  await other.start();
  await other.open(uri("block.nsm"), text);
  const [same] = await other.until(uri("block.nsm"), (list) => list.length === 1);
  assert.equal(same.range.start.character, line.indexOf("tabel"));
  assert.notEqual(same.range.start.character, error.range.start.character);
});
