// A slider for every parameter that is a number of its own; what it is moved to takes the place of the model's value.
import { h, iconButton } from "../app/dom";
import { number } from "../data/numbers";
import type { Checked, Parameter, SymbolInfo } from "./api";

const steps = 400;

/** Bounds of the model; without, from 0 to twice the value. */
function boundsOf(parameter: Parameter): [number, number] {
  if (parameter.bounds) return parameter.bounds;
  const { value } = parameter;
  return value > 0 ? [0, 2 * value] : value < 0 ? [2 * value, 0] : [-1, 1];
}

export class Sliders {
  readonly element = h("div", { class: "knobs" });
  /** In SI, by name: only what differs from the model. */
  readonly overrides: Record<string, number> = {};
  private shown = "";

  constructor(private readonly moved: () => void) {}

  /** Those of a model that was checked; values that were moved stay where the parameter is still there. */
  show(checked: Checked): void {
    const parameters = checked.parameters.filter((parameter) => !parameter.structural && !parameter.expression);
    const key = JSON.stringify(parameters);
    if (key === this.shown) return;
    this.shown = key;
    const names = new Set(parameters.map((parameter) => parameter.name));
    for (const name of Object.keys(this.overrides)) if (!names.has(name)) delete this.overrides[name];
    const symbols = new Map(checked.symbols.map((symbol) => [symbol.name, symbol]));
    this.element.replaceChildren(...parameters.map((parameter) => this.row(parameter, symbols.get(parameter.name))));
    if (parameters.length === 0) this.element.append(h("p", { class: "note" }, "This model has no parameters: param mu = 0.3 in 0..1 makes a slider."));
  }

  reset(): void {
    for (const name of Object.keys(this.overrides)) delete this.overrides[name];
    this.shown = "";
  }

  private row(parameter: Parameter, symbol: SymbolInfo | undefined): HTMLElement {
    // In the unit that the model is written in.
    const factor = symbol && symbol.value !== null && symbol.value !== 0 && parameter.value !== 0 ? parameter.value / symbol.value : 1;
    const unit = factor === 1 && !symbol?.unit ? (parameter.unit === "1" ? "" : parameter.unit) : symbol?.unit ?? "";
    const [least, greatest] = boundsOf(parameter);
    const slider = h("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": parameter.name });
    const field = h("input", { type: "text", class: "knob-value", inputmode: "decimal", "aria-label": `${parameter.name}, value` });
    const back = iconButton("first", `${parameter.name} as in the model`, () => set(parameter.value));
    const row = h("label", { class: "knob", title: parameter.doc }, h("span", { class: "knob-name" }, parameter.name), slider, field, h("span", { class: "knob-unit" }, unit), back);
    const put = (value: number): void => {
      slider.value = String(Math.round(((value - least) / (greatest - least)) * steps));
      field.value = number(value / factor);
      row.classList.toggle("moved", value !== parameter.value);
    };
    const set = (value: number): void => {
      if (value === parameter.value) delete this.overrides[parameter.name];
      else this.overrides[parameter.name] = value;
      put(value);
      this.moved();
    };
    slider.addEventListener("input", () => set(least + (Number(slider.value) / steps) * (greatest - least)));
    field.addEventListener("change", () => {
      const value = Number(field.value.replaceAll("−", "-").replace(",", ".")) * factor;
      if (Number.isFinite(value)) set(value);
      else put(this.overrides[parameter.name] ?? parameter.value);
    });
    put(this.overrides[parameter.name] ?? parameter.value);
    return row;
  }
}
