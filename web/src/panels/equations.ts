// The equations of motion as nsmc derives them, typeset. The LaTeX document is cut into its texts and displays; KaTeX sets the latter.
import katex from "katex";
import "katex/dist/katex.css";
import { h } from "../app/dom";
import { saveText } from "../save/files";

function plain(text: string): string {
  return text.replace(/\\([_%&#$])/g, "$1").replace(/\\texttt\{([^}]*)\}/g, "$1").replace(/~/g, " ").trim();
}

/** Displays of a large model take seconds each: beyond this length they are shown as text. */
const longest = 60000;

function display(source: string): HTMLElement {
  const box = h("div", { class: "equation" });
  if (source.length > longest) {
    box.append(h("pre", { class: "summary" }, source.trim()));
    return box;
  }
  try {
    katex.render(source, box, { displayMode: true, throwOnError: true, strict: "ignore", output: "html" });
  } catch {
    box.append(h("pre", { class: "summary" }, source.trim()));
  }
  return box;
}

function blocks(latex: string): { kind: "heading" | "subheading" | "text" | "display"; text: string }[] {
  const body = /\\begin\{document\}([\s\S]*?)\\end\{document\}/.exec(latex)?.[1] ?? latex;
  const found: { kind: "heading" | "subheading" | "text" | "display"; text: string }[] = [];
  const pattern = /\\(sub)?section\*?\{((?:[^{}]|\\[{}]|\{[^{}]*\})*)\}|\\\[([\s\S]*?)\\\]|\\begin\{(equation|align|gather|multline)(\*?)\}([\s\S]*?)\\end\{\4\5\}/g;
  let at = 0;
  const text = (from: number, to: number): void => {
    for (const part of body.slice(from, to).split(/\n\s*\n/)) if (plain(part)) found.push({ kind: "text", text: plain(part) });
  };
  for (let match = pattern.exec(body); match; match = pattern.exec(body)) {
    text(at, match.index);
    at = match.index + match[0].length;
    if (match[2] !== undefined) found.push({ kind: match[1] ? "subheading" : "heading", text: plain(match[2]) });
    else if (match[3] !== undefined) found.push({ kind: "display", text: match[3] });
    else found.push({ kind: "display", text: match[4] === "align" ? `\\begin{aligned}${match[6]}\\end{aligned}` : match[6] });
  }
  text(at, body.length);
  return found;
}

/** Typeset when it is first looked at, a little at a time so that the page stays alive. */
export function equationsPanel(latex: string): HTMLElement {
  const content = h("div", { class: "equations" });
  const element = h("div", { class: "document" },
    h("div", { class: "document-tools" }, h("span", { class: "spacer" }), h("button", { type: "button", class: "text-button", onclick: () => saveText(latex, "equations.tex", "application/x-tex") }, "Save LaTeX")), content);
  let begun = false;
  element.addEventListener("shown", () => {
    if (begun) return;
    begun = true;
    const rest = blocks(latex);
    const next = (): void => {
      const until = performance.now() + 25;
      while (rest.length && performance.now() < until) {
        const block = rest.shift() as (typeof rest)[number];
        if (block.kind === "display") content.append(display(block.text));
        else content.append(h(block.kind === "heading" ? "h3" : block.kind === "subheading" ? "h4" : "p", {}, block.text));
      }
      if (rest.length) requestAnimationFrame(next);
    };
    next();
  });
  return element;
}
