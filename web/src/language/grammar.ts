// Colours of a model's text by the grammar that VS Code has, editors/vscode/syntaxes/nsm.tmLanguage.json: of TextMate grammars as much as
// that one uses, patterns with `match` and `captures`, and `begin` with `end` for what goes over lines.
import definition from "../../../editors/vscode/syntaxes/nsm.tmLanguage.json";

export type TokenKind = "comment" | "string" | "unit" | "number" | "keyword" | "name" | "plain";

interface Pattern {
  include?: string;
  name?: string;
  match?: string;
  begin?: string;
  end?: string;
  captures?: Record<string, { name: string } | undefined>;
  patterns?: Pattern[];
}
interface Rule {
  at: RegExp;
  end?: RegExp;
  name: string;
  captures: [number, string][];
}
export interface Piece {
  text: string;
  kind: TokenKind;
}
/** What was begun and goes on in the next line; null: nothing. */
export type LineState = Rule | null;

const kinds: [RegExp, TokenKind][] = [[/^comment/, "comment"], [/^string/, "string"], [/^constant\.other\.unit/, "unit"], [/^constant\.numeric/, "number"], [/^keyword/, "keyword"], [/^entity\.name\.nsm/, "name"]];
const kindOf = (scope: string): TokenKind => kinds.find(([pattern]) => pattern.test(scope))?.[1] ?? "plain";

function rulesOf(patterns: Pattern[]): Rule[] {
  const repository: Record<string, Pattern> = definition.repository;
  return patterns.flatMap((pattern): Rule[] => {
    if (pattern.include) return rulesOf([repository[pattern.include.slice(1)]]);
    if (pattern.patterns) return rulesOf(pattern.patterns);
    const captures = Object.entries(pattern.captures ?? {}).map(([group, capture]): [number, string] => [Number(group), capture?.name ?? ""]);
    return [{ at: new RegExp(pattern.match ?? pattern.begin ?? "", "dg"), end: pattern.end ? new RegExp(pattern.end, "g") : undefined, name: pattern.name ?? "", captures }];
  });
}

let rules: Rule[] | undefined;

/** The first rule that matches at the earliest place from here on. */
function next(line: string, from: number): { rule: Rule; match: RegExpExecArray } | undefined {
  rules ??= rulesOf(definition.patterns);
  let best: { rule: Rule; match: RegExpExecArray } | undefined;
  for (const rule of rules) {
    rule.at.lastIndex = from;
    const match = rule.at.exec(line);
    if (match && match[0] && (!best || match.index < best.match.index)) best = { rule, match };
  }
  return best;
}

/** The pieces of a line in order; together they are the line. */
export function colourLine(line: string, before: LineState): { pieces: Piece[]; state: LineState } {
  const pieces: Piece[] = [];
  const push = (to: number, kind: TokenKind): void => {
    if (to > at) pieces.push({ text: line.slice(at, to), kind });
    at = Math.max(at, to);
  };
  let at = 0;
  let state = before;
  while (at < line.length) {
    if (state?.end) {
      state.end.lastIndex = at;
      const end = state.end.exec(line);
      push(end ? end.index + end[0].length : line.length, kindOf(state.name));
      if (!end) break;
      state = null;
      continue;
    }
    const found = next(line, at);
    if (!found) break;
    const { rule, match } = found;
    push(match.index, "plain");
    if (rule.end) {
      push(match.index + match[0].length, kindOf(rule.name));
      state = rule;
      continue;
    }
    for (const [group, name] of rule.captures) {
      const range = match.indices?.[group];
      if (!range) continue;
      push(range[0], kindOf(rule.name));
      push(range[1], kindOf(name));
    }
    push(match.index + match[0].length, kindOf(rule.name));
  }
  push(line.length, "plain");
  return { pieces, state };
}

/** The pieces of a text in order; together they are the text. */
export function colour(text: string): Piece[] {
  const pieces: Piece[] = [];
  let state: LineState = null;
  text.split("\n").forEach((line, i) => {
    const coloured = colourLine(line, state);
    state = coloured.state;
    if (i > 0) pieces.push({ text: "\n", kind: "plain" });
    pieces.push(...coloured.pieces);
  });
  return pieces;
}

/** The words that the grammar colours as keywords. */
export const keywords = new Set(Object.values(definition.repository as Record<string, Pattern>).flatMap(({ patterns = [] }) => patterns)
  .filter((pattern) => pattern.name?.startsWith("keyword") || pattern.captures?.["1"]?.name.startsWith("keyword"))
  .flatMap((pattern) => [...(pattern.match ?? "").matchAll(/\(\?:([a-z|]+)\)/g)].flatMap(([, list]) => list.split("|"))));
