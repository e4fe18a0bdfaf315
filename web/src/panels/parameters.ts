// The parameters with value, unit and meaning; those that this run overrides are marked.
import { h } from "../app/dom";
import type { ModelData } from "../data/contract";
import { number, unitText } from "../data/numbers";
import type { Run } from "../data/run";

function valueText(value: number | number[] | string): string {
  if (typeof value === "number") return number(value, 6);
  if (Array.isArray(value)) return `[${value.map((one) => number(one, 6)).join(", ")}]`;
  return value;
}

export function parametersPanel(model: ModelData, run: Run | undefined): HTMLElement {
  const parameters = model.parameters ?? [];
  if (parameters.length === 0) return h("div", { class: "document" }, h("p", { class: "note" }, "The model has no parameters."));
  const overrides = run?.source.overrides ?? {};
  return h("div", { class: "document" }, h("table", { class: "parameters" },
    h("thead", {}, h("tr", {}, h("th", {}, "Name"), h("th", { class: "right" }, "Value"), h("th", {}, "Unit"), h("th", {}, "Meaning"))),
    h("tbody", {}, ...parameters.map((parameter) => {
      const changed = overrides[parameter.name];
      const derived = parameter.expression && !/^[-+0-9.eE]+$/.test(parameter.expression.trim()) ? parameter.expression : "";
      return h("tr", { class: changed !== undefined ? "changed" : "" },
        h("td", {}, h("code", {}, parameter.name)),
        h("td", { class: "right number", title: derived }, changed ?? valueText(parameter.value)),
        h("td", { class: "unit" }, changed !== undefined && /[a-z[]/i.test(changed) ? "" : unitText(parameter.unit)),
        h("td", {}, parameter.doc ?? "", changed !== undefined ? h("span", { class: "note" }, ` (${valueText(parameter.value)} in the model)`) : ""));
    }))));
}
