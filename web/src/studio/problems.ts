// The diagnostics of the model as a list; a click goes to the place, and where nsmc knows how to mend it, another does.
import { h } from "../app/dom";
import type { Diagnostic, Fix } from "./api";

export class Problems {
  readonly element = h("section", { class: "problems", hidden: true, "aria-label": "problems" });

  constructor(private readonly chosen: (diagnostic: Diagnostic) => void, private readonly mend: (fix: Fix) => void) {}

  /** `here`: of the text itself rather than of a file that it imports. */
  show(diagnostics: Diagnostic[], here: (diagnostic: Diagnostic) => boolean): void {
    this.element.hidden = diagnostics.length === 0;
    this.element.replaceChildren(...diagnostics.slice(0, 50).map((one) => {
      const own = here(one);
      const place = own ? `line ${one.place.line}` : `${one.place.file}:${one.place.line}`;
      return h("div", { class: one.error ? "problem" : "problem warning" },
        h("button", { type: "button", class: "problem-text", title: own ? "go there" : "", onclick: () => own && this.chosen(one) },
          h("span", { class: "problem-place" }, place), h("span", {}, one.message, one.hint && one.fixes.length === 0 ? h("span", { class: "problem-hint" }, one.hint) : null), h("span", { class: "problem-code" }, one.code)),
        ...one.fixes.map((fix) => h("button", { type: "button", class: "button", onclick: () => this.mend(fix) }, `${fix.title[0].toUpperCase()}${fix.title.slice(1)}`)));
    }));
  }
}
