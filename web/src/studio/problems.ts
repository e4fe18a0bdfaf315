// The diagnostics of the model as a list; a click goes to the place.
import { h } from "../app/dom";
import type { Diagnostic } from "./api";

export class Problems {
  readonly element = h("section", { class: "problems", hidden: true, "aria-label": "problems" });

  constructor(private readonly chosen: (diagnostic: Diagnostic) => void) {}

  show(diagnostics: Diagnostic[], here: (diagnostic: Diagnostic) => boolean): void {
    this.element.hidden = diagnostics.length === 0;
    this.element.replaceChildren(...diagnostics.slice(0, 50).map((one) => {
      const own = here(one);
      const place = own ? `${one.place.line}:${one.place.column}` : `${one.place.file}:${one.place.line}`;
      return h("button", { type: "button", class: one.error ? "problem" : "problem warning", onclick: () => own && this.chosen(one) },
        h("span", { class: "problem-place" }, place), h("span", {}, one.message, one.hint ? h("span", { class: "problem-hint" }, one.hint) : null), h("span", { class: "problem-code" }, one.code));
    }));
  }
}
