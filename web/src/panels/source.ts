// The model's own files with line numbers and colours.
import { h } from "../app/dom";
import type { ModelData } from "../data/contract";
import { colour } from "../language/grammar";
import { download } from "../save/files";

// Every line is an element, so that long ones are wrapped beside their number, below their own indentation.
function code(text: string): HTMLElement {
  const body = h("pre", { class: "source", tabindex: 0 });
  let line = h("span", { class: "line" });
  const finish = (): void => {
    const indent = /^ */.exec(line.textContent ?? "")?.[0].length ?? 0;
    line.style.setProperty("--indent", String(indent + 2));
    line.append("\n");
    body.append(line);
    line = h("span", { class: "line" });
  };
  for (const token of colour(text.replace(/\n$/, ""))) {
    token.text.split("\n").forEach((part, i) => {
      if (i > 0) finish();
      if (part) line.append(token.kind === "plain" ? part : h("span", { class: `code-${token.kind}` }, part));
    });
  }
  finish();
  return body;
}

export function sourcePanel(model: ModelData): HTMLElement {
  const sources = model.sources ?? [];
  if (sources.length === 0) return h("div", { class: "document" }, h("p", { class: "note" }, "The page was made without the model's text."));
  return h("div", { class: "document wide" }, ...sources.map((source) =>
    h("section", {}, h("div", { class: "document-tools" }, h("code", {}, source.file), h("span", { class: "spacer" }),
      h("button", { type: "button", class: "text-button", onclick: () => download(new Blob([source.text], { type: "text/plain" }), source.file) }, "Save")), code(source.text))));
}
