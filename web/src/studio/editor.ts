// The editor: CodeMirror with the colours of the language; what is wrong, what fits and what words mean is told by nsmc.
import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Action, type Diagnostic as Mark } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, type Tooltip } from "@codemirror/view";
import { indentWithTab } from "@codemirror/commands";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { h } from "../app/dom";
import { colourLine, type LineState, type Piece } from "../language/grammar";
import type { Completions, Diagnostic, Explanation, Fix } from "./api";

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

const bytesBefore = (text: string, index: number): number => new TextEncoder().encode(text.slice(0, index)).length;

/** What is known of a place of the text, in bytes. */
export interface Knowledge {
  complete: (text: string, offset: number, signal: AbortSignal) => Promise<Completions>;
  explain: (text: string, offset: number) => Promise<Explanation | null>;
}

// The signs that CodeMirror has for what is proposed.
const signs: Record<string, string> = { keyword: "keyword", function: "function", law: "function", set: "class", label: "property", member: "property", setting: "property", unit: "type", constant: "constant", parameter: "constant" };

export class Editor {
  readonly view: EditorView;

  constructor(parent: HTMLElement, private readonly knowledge: Knowledge, private readonly changed: () => void) {
    this.view = new EditorView({ parent });
    // Where one writes stays visible when the list of problems opens.
    new ResizeObserver(() => {
      if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { yMargin: 24 }) });
    }).observe(parent);
    this.extensions = [
      basicSetup, language, syntaxHighlighting(style), look, lintGutter(),
      autocompletion({ override: [(context) => this.complete(context)] }),
      hoverTooltip((view, place) => this.explain(view.state.doc.toString(), place)),
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

  /** What the text was checked with; a fix is for that text. */
  mend({ begin, end, text }: Fix): void {
    const from = indexOfByte(this.text, begin);
    this.view.dispatch({ changes: { from, to: indexOfByte(this.text, end), insert: text } });
    this.view.focus();
  }

  private actions({ place, fixes }: Diagnostic): Action[] {
    const text = this.text;
    const first = indexOfByte(text, place.begin);
    return fixes.map((fix) => {
      const [begin, end] = [indexOfByte(text, fix.begin) - first, indexOfByte(text, fix.end) - first];
      // The mark has moved with the text if something was written before it.
      return { name: fix.title, apply: (view, from) => view.dispatch({ changes: { from: from + begin, to: from + end, insert: fix.text } }) };
    });
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

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    if (!context.explicit && !context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*$|[\p{L}\p{N}_\])]\.$|[(,]\s?$/u)) return null;
    const text = context.state.doc.toString();
    const asked = new AbortController();
    context.addEventListener("abort", () => asked.abort());
    const found = await this.knowledge.complete(text, bytesBefore(text, context.pos), asked.signal).catch(() => null);
    if (!found || found.items.length === 0) return null;
    // After a bracket or a comma only what has a name there, not all that could be a value.
    const quiet = !context.explicit && found.begin === found.end && !/\.$/.test(text.slice(0, context.pos));
    const items = quiet ? found.items.filter((item) => item.kind === "label") : found.items;
    return {
      from: indexOfByte(text, found.begin), to: indexOfByte(text, found.end), validFor: /^[\p{L}\p{N}_']*$/u,
      options: items.map(({ text: label, kind, detail, doc, rank }) => ({ label, detail: detail || kind, info: doc || undefined, type: signs[kind] ?? "variable", boost: -rank })),
    };
  }

  private async explain(text: string, place: number): Promise<Tooltip | null> {
    const found = await this.knowledge.explain(text, bytesBefore(text, place)).catch(() => null);
    if (!found) return null;
    return {
      pos: indexOfByte(text, found.begin), end: indexOfByte(text, found.end), above: true,
      create: () => ({ dom: h("div", { class: "explained" }, h("code", {}, found.title), found.text ? h("p", {}, found.text) : null, found.formulas.length ? h("pre", {}, found.formulas.join("\n")) : null) }),
    };
  }
}
