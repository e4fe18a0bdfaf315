// A slider for every parameter; what it is moved to takes the place of the model's value. One that follows others moves with them until
// it is moved itself.
import { h, iconButton } from "../app/dom";
import type { Parameter as RunParameter } from "../data/contract";
import { number, unitText } from "../data/numbers";
import type { Checked, Parameter } from "./api";

const steps = 400;

/** Bounds of the model; without, from 0 to twice the value, and about 0 one of the unit in both directions. Sizes are whole. */
function boundsOf({ bounds, value, factor, structural }: Parameter): [number, number] {
  if (bounds) return bounds;
  if (structural) return [1, Math.max(4, 2 * Math.round(value))];
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
    const key = JSON.stringify(checked.parameters);
    if (key === this.shown) return;
    this.shown = key;
    this.parameters = checked.parameters.map((parameter) => ({ ...parameter }));
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
    for (const parameter of this.parameters) {
      const value = overrides[parameter.name];
      if (value === undefined) this.release(parameter);
      else this.put(parameter, value);
    }
    this.moved();
  }

  /** The values that a run had: those that follow others have gone with them. */
  follow(parameters: RunParameter[]): void {
    for (const parameter of this.parameters) {
      const now = parameters.find((one) => one.name === parameter.name)?.value;
      if (!parameter.expression || parameter.name in this.overrides || typeof now !== "number" || now === parameter.value) continue;
      parameter.value = now;
      this.setters.get(parameter.name)?.(now);
    }
  }

  private put(parameter: Parameter, value: number): void {
    if (value === parameter.value && !parameter.expression) delete this.overrides[parameter.name];
    else this.overrides[parameter.name] = value;
    this.setters.get(parameter.name)?.(value);
  }

  private release(parameter: Parameter): void {
    delete this.overrides[parameter.name];
    this.setters.get(parameter.name)?.(parameter.value);
  }

  private row(parameter: Parameter): HTMLElement {
    const { name, doc, factor } = parameter;
    const [least, greatest] = boundsOf(parameter);
    const whole = parameter.structural;
    const places = whole ? greatest - least : steps;
    const slider = h("input", { type: "range", min: 0, max: places, step: 1, "aria-label": name });
    const field = h("input", { type: "text", class: "knob-value", inputmode: "decimal", "aria-label": `${name}, value` });
    const set = (value: number): void => {
      this.put(parameter, value);
      this.moved();
    };
    const back = iconButton("back-to", `${name} as in the model`, () => {
      this.release(parameter);
      this.moved();
    });
    const about = [doc, parameter.expression && `follows ${name} = ${parameter.expression}`].filter(Boolean).join("; ");
    const row = h("div", { class: "knob", title: about }, h("span", { class: "knob-name" }, h("code", {}, name), doc ? h("span", { class: "knob-doc" }, doc) : null),
      slider, field, h("span", { class: "knob-unit" }, unitText(parameter.unit)), back);
    const show = (value: number): void => {
      slider.value = String(Math.round(((value - least) / (greatest - least)) * places));
      slider.setAttribute("aria-valuetext", `${number(value / factor)} ${parameter.unit}`);
      slider.style.setProperty("--share", `${(100 * Number(slider.value)) / places}%`);
      field.value = number(value / factor);
      row.classList.toggle("moved", name in this.overrides);
    };
    this.setters.set(name, show);
    slider.addEventListener("input", () => {
      // Round values: those of the model at its place, otherwise four digits.
      const value = least + (Number(slider.value) / places) * (greatest - least);
      set(whole ? Math.round(value) : Math.abs(value - parameter.value) < (greatest - least) / (2 * steps) ? parameter.value : Number((value / factor).toPrecision(4)) * factor);
    });
    field.addEventListener("change", () => {
      const text = field.value.replaceAll("−", "-").replace(",", ".").trim();
      const value = Number(text) * factor;
      if (text && Number.isFinite(value)) set(whole ? Math.max(1, Math.round(value)) : value);
      else show(this.overrides[name] ?? parameter.value);
    });
    show(this.overrides[name] ?? parameter.value);
    return row;
  }
}
