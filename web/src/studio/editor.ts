// The editor: CodeMirror with the words of the language, completion of names, and the diagnostics of nsmc under the text.
import { autocompletion, completeFromList, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Action, type Diagnostic as Mark } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { indentWithTab } from "@codemirror/commands";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { colourLine, keywords, type LineState, type Piece } from "../language/grammar";
import type { Diagnostic, SymbolInfo } from "./api";
import { fixOf, type Fix } from "./problems";

interface State {
  before: LineState; // what goes on from the line before
  pieces: Piece[]; // of this line, those that are still to come
}

// A line is coloured when its first piece is asked for.
const language = StreamLanguage.define<State>({
  startState: () => ({ before: null, pieces: [] }),
  copyState: (state) => ({ before: state.before, pieces: [...state.pieces] }),
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  token(stream, state) {
    if (stream.sol()) {
      const { pieces, state: after } = colourLine(stream.string, state.before);
      state.pieces = pieces;
      state.before = after;
    }
    const piece = state.pieces.shift();
    if (!piece) stream.skipToEnd();
    else stream.pos += piece.text.length;
    return piece && piece.kind !== "plain" ? piece.kind : null;
  },
  tokenTable: { unit: tags.unit, name: tags.variableName },
});

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--stick)" },
  { tag: tags.number, color: "var(--curve-1)" },
  { tag: tags.unit, color: "var(--set-slip)" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--well) 65%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft) !important" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "7px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", fontSize: "12.5px", whiteSpace: "pre-wrap", maxWidth: "520px" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", borderRadius: "5px" },
});

/** Where a byte of the UTF-8 text is in the string. */
function indexOfByte(text: string, byte: number): number {
  let bytes = 0, index = 0;
  for (const character of text) {
    if (bytes >= byte) break;
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return index;
}

export class Editor {
  readonly view: EditorView;
  private names: Completion[] = [];
  private members = new Map<string, Completion[]>();
  private arguments = new Map<string, Completion[]>();

  constructor(parent: HTMLElement, private readonly changed: () => void) {
    this.view = new EditorView({ parent });
    // Where one writes stays visible when the list of problems opens.
    new ResizeObserver(() => {
      if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { yMargin: 24 }) });
    }).observe(parent);
    this.extensions = [
      basicSetup, language, syntaxHighlighting(style), look, lintGutter(),
      autocompletion({ override: [(context) => this.complete(context)] }),
      // Ctrl+Enter runs the model, and does not open a line.
      Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => true }])), keymap.of([indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "the model" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.changed();
      }),
    ];
  }
  private readonly extensions;

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another file: its history begins anew. */
  open(text: string): void {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  /** The same file with another text: the cursor stays about where it is. */
  exchange(text: string): void {
    const at = Math.min(this.view.state.selection.main.head, text.length);
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: at } });
  }

  show(byte: number): void {
    const at = indexOfByte(this.text, byte);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  fix(diagnostic: Diagnostic): Fix | null {
    const text = this.text;
    const from = indexOfByte(text, diagnostic.place.begin);
    return fixOf(diagnostic, text.slice(from, indexOfByte(text, diagnostic.place.end)), from);
  }

  mend({ begin, end, word }: Fix): void {
    this.view.dispatch({ changes: { from: begin, to: end, insert: word } });
    this.view.focus();
  }

  private actions(diagnostic: Diagnostic): Action[] {
    const fix = this.fix(diagnostic);
    if (!fix) return [];
    const first = indexOfByte(this.text, diagnostic.place.begin);
    // The mark has moved with the text if something was written before it.
    return [{ name: `write ${fix.word}`, apply: (_, from) => this.mend({ ...fix, begin: fix.begin + from - first, end: fix.end + from - first }) }];
  }

  /** `here`: those of this text; of others the first line is marked. */
  mark(diagnostics: Diagnostic[], here: (diagnostic: Diagnostic) => boolean): void {
    const text = this.text;
    const marks = diagnostics.map((diagnostic): Mark => {
      const own = here(diagnostic);
      const note = diagnostic.notes.find((one) => one.place.file === diagnostic.place.file);
      const from = own ? indexOfByte(text, diagnostic.place.begin) : 0;
      const to = own ? Math.min(text.length, indexOfByte(text, diagnostic.place.end)) : 0;
      const message = [diagnostic.message, own ? "" : `in ${diagnostic.place.file}:${diagnostic.place.line}`, note?.text ?? "", diagnostic.hint && `hint: ${diagnostic.hint}`];
      return { from, to, severity: diagnostic.error ? "error" : "warning", source: diagnostic.code, message: message.filter(Boolean).join("\n"), actions: own ? this.actions(diagnostic) : [] };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks.sort((a, b) => a.from - b.from)));
  }

  /** The names that can be written here. */
  know(symbols: SymbolInfo[]): void {
    const detail = (s: SymbolInfo): string => [s.kind, s.value !== null ? `= ${Number(s.value.toPrecision(6))}` : "", s.unit ? `[${s.unit}]` : ""].filter(Boolean).join(" ");
    this.names = [...keywords].map((word): Completion => ({ label: word, type: "keyword" }));
    this.members.clear();
    this.arguments.clear();
    for (const s of symbols) {
      const call = s.arguments.length > 0 ? `${s.name}(${s.arguments.join(", ")})` : undefined;
      this.names.push({ label: s.name, displayLabel: call, detail: detail(s), info: s.doc || undefined, type: s.kind === "law" || s.arguments.length ? "function" : "variable", boost: s.library ? -1 : 1 });
      this.arguments.set(s.name, s.arguments.map((name): Completion => ({ label: name, displayLabel: `${name} =`, apply: `${name} = `, detail: `of ${s.name}`, type: "property", boost: 2 })));
      this.members.set(s.name, s.members.map((member): Completion => ({ label: member, type: "property" })));
    }
  }

  private complete(context: CompletionContext): CompletionResult | null | Promise<CompletionResult | null> {
    const member = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*(\[[^\]]*\])?\.[\p{L}\p{N}_]*/u);
    if (member) {
      const owner = /^[\p{L}\p{N}_]+/u.exec(member.text)?.[0] ?? "";
      const dot = member.text.lastIndexOf(".");
      return { from: member.from + dot + 1, options: this.members.get(owner) ?? [], validFor: /^[\p{L}\p{N}_]*$/u };
    }
    // Inside of a call, what it can be given by name.
    const call = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*\([^()]*/u)?.text;
    const given = call && /[(,]\s*[\p{L}\p{N}_]*$/u.test(call) ? (this.arguments.get(call.slice(0, call.indexOf("("))) ?? []) : [];
    return completeFromList([...given, ...this.names])(context);
  }
}
