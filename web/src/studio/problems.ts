// The diagnostics of the model as a list; a click goes to the place, and where the hint has the word that was meant, another writes it.
import { h } from "../app/dom";
import type { Diagnostic } from "./api";

export interface Fix {
  begin: number; // in the text
  end: number;
  word: string;
}

/** "did you mean 'mu'?" can be done for the user: what is about a whole call names the wrong word in its message. `text` begins at `from`. */
export function fixOf({ message, hint }: Diagnostic, text: string, from: number): Fix | null {
  const word = /did you mean '([^']+'*)'/.exec(hint)?.[1];
  if (!word) return null;
  const wrong = [...message.matchAll(/'([^']+'*)'/g)].map((match) => match[1]).find((one) => text.includes(one));
  const at = wrong === undefined ? -1 : text.indexOf(wrong);
  return wrong === undefined ? null : { begin: from + at, end: from + at + wrong.length, word };
}

export class Problems {
  readonly element = h("section", { class: "problems", hidden: true, "aria-label": "problems" });

  /** `fix`: what a hint offers for the text as it is now. */
  constructor(private readonly chosen: (diagnostic: Diagnostic) => void, private readonly fix: (diagnostic: Diagnostic) => Fix | null, private readonly mend: (fix: Fix) => void) {}

  show(diagnostics: Diagnostic[], here: (diagnostic: Diagnostic) => boolean): void {
    this.element.hidden = diagnostics.length === 0;
    this.element.replaceChildren(...diagnostics.slice(0, 50).map((one) => {
      const own = here(one);
      const place = own ? `line ${one.place.line}` : `${one.place.file}:${one.place.line}`;
      const fix = own ? this.fix(one) : null;
      return h("div", { class: one.error ? "problem" : "problem warning" },
        h("button", { type: "button", class: "problem-text", title: own ? "go there" : "", onclick: () => own && this.chosen(one) },
          h("span", { class: "problem-place" }, place), h("span", {}, one.message, one.hint && !fix ? h("span", { class: "problem-hint" }, one.hint) : null), h("span", { class: "problem-code" }, one.code)),
        fix ? h("button", { type: "button", class: "button", onclick: () => this.mend(fix) }, "Write ", h("code", {}, fix.word)) : null);
    }));
  }
}
