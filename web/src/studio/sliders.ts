// A slider for every parameter that is a number of its own; what it is moved to takes the place of the model's value.
import { h, iconButton } from "../app/dom";
import { number, unitText } from "../data/numbers";
import type { Checked, Parameter } from "./api";

const steps = 400;

/** Bounds of the model; without, from 0 to twice the value, and about 0 one of the unit in both directions. */
function boundsOf({ bounds, value, factor }: Parameter): [number, number] {
  if (bounds) return bounds;
  return value > 0 ? [0, 2 * value] : value < 0 ? [2 * value, 0] : [-factor, factor];
}

export class Sliders {
  readonly element = h("div", { class: "knobs" });
  /** In SI, by name: only what differs from the model. */
  readonly overrides: Record<string, number> = {};
  private readonly setters = new Map<string, (value: number) => void>();
  private parameters: Parameter[] = [];
  private shown = "";

  /** A slider is held. */
  dragged = false;

  /** `released`: a slider that was dragged has come to its place. */
  constructor(private readonly moved: () => void, private readonly released: () => void) {
    this.element.addEventListener("pointerdown", (event) => (this.dragged = (event.target as HTMLElement).matches("input[type=range]")));
    for (const end of ["pointerup", "pointercancel"]) {
      window.addEventListener(end, () => {
        if (this.dragged) this.released();
        this.dragged = false;
      });
    }
  }

  /** Those of a model that was checked; values that were moved stay where the parameter is still there. */
  show(checked: Checked): void {
    this.parameters = checked.parameters.filter((parameter) => !parameter.structural && !parameter.expression);
    const key = JSON.stringify(this.parameters);
    if (key === this.shown) return;
    this.shown = key;
    const names = new Set(this.parameters.map((parameter) => parameter.name));
    for (const name of Object.keys(this.overrides)) if (!names.has(name)) delete this.overrides[name];
    this.setters.clear();
    this.element.replaceChildren(...this.parameters.map((parameter) => this.row(parameter)));
    if (this.parameters.length === 0) this.element.append(h("p", { class: "note" }, "A line such as ", h("code", {}, "param mu = 0.3 in 0..1"), " in the model makes a slider."));
  }

  /** Another model: nothing is moved. */
  clear(): void {
    for (const name of Object.keys(this.overrides)) delete this.overrides[name];
    this.shown = "";
  }

  /** Those of an earlier run; what is not among them is as in the model. */
  set(overrides: Record<string, number>): void {
    for (const parameter of this.parameters) this.put(parameter, overrides[parameter.name] ?? parameter.value);
    this.moved();
  }

  private put(parameter: Parameter, value: number): void {
    if (value === parameter.value) delete this.overrides[parameter.name];
    else this.overrides[parameter.name] = value;
    this.setters.get(parameter.name)?.(value);
  }

  private row(parameter: Parameter): HTMLElement {
    const { name, doc, factor } = parameter;
    const [least, greatest] = boundsOf(parameter);
    const slider = h("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": name });
    const field = h("input", { type: "text", class: "knob-value", inputmode: "decimal", "aria-label": `${name}, value` });
    const set = (value: number): void => {
      this.put(parameter, value);
      this.moved();
    };
    const back = iconButton("back-to", `${name} as in the model`, () => set(parameter.value));
    const row = h("div", { class: "knob", title: doc }, h("span", { class: "knob-name" }, h("code", {}, name), doc ? h("span", { class: "knob-doc" }, doc) : null),
      slider, field, h("span", { class: "knob-unit" }, unitText(parameter.unit)), back);
    const show = (value: number): void => {
      slider.value = String(Math.round(((value - least) / (greatest - least)) * steps));
      slider.setAttribute("aria-valuetext", `${number(value / factor)} ${parameter.unit}`);
      slider.style.setProperty("--share", `${(100 * Number(slider.value)) / steps}%`);
      field.value = number(value / factor);
      row.classList.toggle("moved", value !== parameter.value);
    };
    this.setters.set(name, show);
    slider.addEventListener("input", () => {
      // Round values: those of the model at its place, otherwise four digits.
      const value = least + (Number(slider.value) / steps) * (greatest - least);
      set(Math.abs(value - parameter.value) < (greatest - least) / (2 * steps) ? parameter.value : Number((value / factor).toPrecision(4)) * factor);
    });
    field.addEventListener("change", () => {
      const text = field.value.replaceAll("−", "-").replace(",", ".").trim();
      const value = Number(text) * factor;
      if (text && Number.isFinite(value)) set(value);
      else show(this.overrides[name] ?? parameter.value);
    });
    show(this.overrides[name] ?? parameter.value);
    return row;
  }
}
