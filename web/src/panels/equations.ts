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

const smallest = 0.7; // of the usual size: what is wider than the panel at that is scrolled, or seen in a window of its own

/** As large as the panel allows. The natural width is measured once. */
class Fitting {
  private readonly widths = new Map<HTMLElement, number>();

  constructor(private readonly content: HTMLElement) {
    new ResizeObserver(() => this.fit([...content.querySelectorAll<HTMLElement>(".equation")])).observe(content);
  }

  fit(equations: HTMLElement[]): void {
    const room = this.content.clientWidth;
    if (room === 0) return;
    for (const one of equations) if (!this.widths.has(one)) this.widths.set(one, one.scrollWidth);
    for (const one of equations) {
      const share = (room - 4) / (this.widths.get(one) as number);
      one.style.fontSize = share < 1 ? `${Math.max(smallest, share)}em` : "";
      one.classList.toggle("wider", share < smallest);
      one.title = share < smallest ? "a click shows it in a window of its own" : "";
    }
  }
}

function enlarge(equation: HTMLElement): void {
  const copy = equation.cloneNode(true) as HTMLElement;
  copy.classList.remove("wider");
  copy.style.fontSize = "";
  copy.title = "";
  const dialog = h("dialog", { class: "dialog enlarged", "aria-label": "equation", onclick: () => dialog.close(), onclose: () => dialog.remove() }, copy);
  document.body.append(dialog);
  dialog.showModal();
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
  const fitting = new Fitting(content);
  content.addEventListener("click", (event) => {
    const equation = (event.target as HTMLElement).closest<HTMLElement>(".equation.wider");
    if (equation) enlarge(equation);
  });
  let begun = false;
  element.addEventListener("shown", () => {
    if (begun) return;
    begun = true;
    const rest = blocks(latex);
    const next = (): void => {
      const until = performance.now() + 25;
      const added: HTMLElement[] = [];
      while (rest.length && performance.now() < until) {
        const block = rest.shift() as (typeof rest)[number];
        if (block.kind === "display") {
          const equation = display(block.text);
          content.append(equation);
          added.push(equation);
        } else content.append(h(block.kind === "heading" ? "h3" : block.kind === "subheading" ? "h4" : "p", {}, block.text));
      }
      fitting.fit(added);
      if (rest.length) requestAnimationFrame(next);
    };
    next();
  });
  return element;
}
