// The words of a model's source, for colours: comments, texts, units, numbers, keywords.

export type TokenKind = "comment" | "string" | "unit" | "number" | "keyword" | "name" | "plain";

export const keywords = new Set(["along", "and", "angle", "at", "between", "body", "color", "constraint", "contact", "coord", "damper", "damping", "dissipation", "draw", "else", "event", "fn",
  "for", "force", "gap", "gauge", "gravity", "import", "in", "initial", "input", "joint", "kinematics", "kinetic", "law", "length", "let", "mass", "method", "model", "normal_cone", "not",
  "on", "or", "output", "param", "piecewise", "potential", "record", "restitution", "roll", "set", "shape", "simulate", "slip", "solve", "solver", "spin", "spring", "step", "stiffness",
  "support", "torque", "turned", "until", "velocity"]);

// In order: // comment, /* comment */, "text", [unit] after a number, number, word, anything. A unit is a bracket that begins with a
// letter and has no comma: lists begin with numbers or have commas.
const pattern = /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*")|(\[\s*(?:1\/)?[a-zA-Zµ°%][\w^*\/ .\-µ°%]*\])|(\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)|([A-Za-z_]\w*'*)|([\s\S])/g;

/** Pieces of the text in order; together they are the text. */
export function tokens(source: string): { kind: TokenKind; text: string }[] {
  const found: { kind: TokenKind; text: string }[] = [];
  let declares = false;
  const push = (kind: TokenKind, text: string): void => {
    const last = found[found.length - 1];
    if (last && last.kind === kind && kind === "plain") last.text += text;
    else found.push({ kind, text });
  };
  for (const match of source.matchAll(pattern)) {
    const [text, comment, string, unit, digits, word] = match;
    if (comment) push("comment", text);
    else if (string) push("string", text);
    else if (unit) {
      // q[i] is an index: a bracket that follows a name or a closing bracket without a space.
      const before = source[(match.index ?? 0) - 1] ?? " ";
      push(/[\w\])']/.test(before) ? "plain" : "unit", text);
    } else if (digits) push("number", text);
    else if (word) {
      push(keywords.has(word) ? "keyword" : declares ? "name" : "plain", text);
      declares = /^(param|let|coord|contact|joint|law|body|shape|output|model|draw|spring|input|function|set)$/.test(word);
      continue;
    } else push("plain", text);
    if (text.trim()) declares = false;
  }
  return found;
}
