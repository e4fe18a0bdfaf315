// The model's own files with line numbers and colours.
import { h } from "../app/dom";
import type { ModelData } from "../data/contract";
import { colour } from "../language/grammar";
import { download } from "../save/files";

function code(text: string): HTMLElement {
  const lines = text.replace(/\n$/, "").split("\n").length;
  const numbers = h("pre", { class: "line-numbers", "aria-hidden": "true" }, Array.from({ length: lines }, (_, i) => i + 1).join("\n"));
  const body = h("pre", { class: "code", tabindex: 0 });
  for (const token of colour(text)) body.append(token.kind === "plain" ? token.text : h("span", { class: `code-${token.kind}` }, token.text));
  return h("div", { class: "source" }, numbers, body);
}

export function sourcePanel(model: ModelData): HTMLElement {
  const sources = model.sources ?? [];
  if (sources.length === 0) return h("div", { class: "document" }, h("p", { class: "note" }, "The page was made without the model's text."));
  return h("div", { class: "document wide" }, ...sources.map((source) =>
    h("section", {}, h("div", { class: "document-tools" }, h("code", {}, source.file), h("span", { class: "spacer" }),
      h("button", { type: "button", class: "text-button", onclick: () => download(new Blob([source.text], { type: "text/plain" }), source.file) }, "Save")), code(source.text))));
}
