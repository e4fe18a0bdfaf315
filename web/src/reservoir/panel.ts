// The reservoir panel: a law of a contact or joint, its set at this instant, the force in it.
import { h, iconButton } from "../app/dom";
import { number, quantity, unitText, velocityUnit } from "../data/numbers";
import type { Contact, Law } from "../data/contract";
import type { Run } from "../data/run";
import { saveText } from "../save/files";
import { ContactReader, stateColor, stateText } from "../scene/contact_state";
import { Boundary } from "./boundary";
import { FlatReservoir, type ReservoirView } from "./flat";
import { SolidReservoir } from "./solid";

export interface Choice {
  contact: Contact;
  law: Law;
}

export function lawsOf(run: Run): Choice[] {
  const found: Choice[] = [];
  for (const contact of run.scene.contacts) {
    for (const law of contact.laws ?? []) if (law.sets.length > 0 && law.dim >= 1 && law.dim <= 3) found.push({ contact, law });
  }
  return found;
}

const listed = 400;

export class ReservoirPanel {
  readonly element: HTMLElement;
  private readonly body = h("div", { class: "reservoir-body" });
  private readonly values = h("dl", { class: "reservoir-values" });
  private readonly badge = h("span", { class: "badge" });
  private readonly select = h("select", { class: "quiet-select", "aria-label": "contact and law", onchange: () => {
    this.setAuto(false);
    this.choose(Number(this.select.value));
  } });
  private readonly autoButton = h("button", { type: "button", class: "text-button", title: "show the contact that is closed", onclick: () => this.setAuto(!this.auto) }, "Auto");
  private auto = true;
  private choices: Choice[] = [];
  private chosen = 0;
  private view: ReservoirView | null = null;
  private reader: ContactReader | null = null;
  private holds: Boundary | null = null; // the set that the force lies in
  private run: Run | null = null;
  private row = 0;

  constructor() {
    const fit = h("button", { type: "button", class: "text-button", "aria-pressed": "false", title: "fill the panel with the set as it is now, rather than one scale for the whole run",
      onclick: () => {
        if (!this.view) return;
        this.view.fit = !this.view.fit;
        fit.setAttribute("aria-pressed", String(this.view.fit));
        this.update(this.row);
      } }, "Fit");
    this.element = h("section", { class: "reservoir", "aria-label": "force reservoir" },
      h("header", { class: "section-head" }, h("h2", {}, "Force reservoir"), this.select, h("span", { class: "spacer" }), this.badge, this.autoButton, fit,
        iconButton("save", "Save this drawing", () => this.save())),
      this.body, this.values);
    new ResizeObserver(() => {
      this.view?.resize();
      this.update(this.row);
    }).observe(this.body);
  }

  setRun(run: Run): boolean {
    this.run = run;
    this.choices = lawsOf(run);
    this.element.hidden = this.choices.length === 0;
    if (this.choices.length === 0) return false;
    this.select.replaceChildren(...this.choices.slice(0, listed).map(({ contact, law }, i) =>
      h("option", { value: i }, (contact.laws ?? []).length > 1 || law.name ? `${contact.name} · ${law.name || law.text}` : contact.name)));
    this.select.disabled = this.choices.length === 1;
    this.autoButton.hidden = this.choices.length === 1;
    this.autoButton.setAttribute("aria-pressed", String(this.auto));
    this.choose(Math.min(this.chosen, this.choices.length - 1));
    return true;
  }

  // Of several contacts the closed one is looked at; one that opens for a moment only is not left.
  private setAuto(on: boolean): void {
    this.auto = on;
    this.autoButton.setAttribute("aria-pressed", String(on));
    if (on) this.update(this.row);
  }

  private readers = new Map<string, ContactReader>();

  private closedNear(contact: Contact, row: number, rows: number): boolean {
    if (!this.run) return false;
    let reader = this.readers.get(contact.name);
    if (!reader || reader.run !== this.run) this.readers.set(contact.name, (reader = new ContactReader(this.run, contact)));
    for (let r = Math.max(0, row - rows); r <= row; r++) if (reader.closed(r)) return true;
    return false;
  }

  private choice(row: number): number {
    if (!this.auto || this.choices.length < 2 || this.choices.length > 50 || this.closedNear(this.choices[this.chosen].contact, row, 6)) return this.chosen;
    const found = this.choices.findIndex(({ contact }) => this.closedNear(contact, row, 0));
    return found >= 0 ? found : this.chosen;
  }

  /** Shows the law of a contact, as when it is chosen by its name elsewhere. */
  showContact(name: string): void {
    const found = this.choices.findIndex((choice) => choice.contact.name === name);
    if (found < 0) return;
    this.setAuto(false);
    this.choose(found);
  }

  private choose(index: number): void {
    if (!this.run) return;
    this.chosen = index;
    this.select.value = String(index);
    const { contact, law } = this.choices[index];
    if (this.view instanceof SolidReservoir) this.view.dispose();
    const fit = this.view?.fit ?? false;
    this.view = law.dim === 3 ? new SolidReservoir(this.run, law) : new FlatReservoir(this.run, law);
    this.view.fit = fit;
    this.reader = new ContactReader(this.run, contact);
    const set = law.sets.find((one) => one.role !== "slip");
    this.holds = set ? new Boundary(this.run, set, law.dim) : null;
    this.element.classList.toggle("slim", law.dim === 1);
    this.body.replaceChildren(this.view.element);
    this.body.title = law.text ?? "";
    this.view.resize();
    this.update(this.row);
  }

  /** `words`: with the numbers below the drawing. */
  update(row: number, words = true): void {
    this.row = row;
    if (!this.view || !this.reader || !this.run || this.element.hidden) return;
    const { run } = this;
    const at = Math.min(row, run.rows - 1);
    const choice = this.choice(at);
    if (choice !== this.chosen) return this.choose(choice);
    const { contact, law } = this.choices[this.chosen];
    const state = this.reader.state(at);
    this.view.update(at, state);
    if (!words) return;
    this.badge.textContent = stateText[state];
    this.badge.style.setProperty("--badge", `var(${stateColor[state]})`);
    const pairs: [string, string][] = law.force.map((channel, axis) => [law.axes?.[axis] ?? `λ${axis + 1}`, quantity(run.at(channel, at), unitText(law.units?.[axis]), 3)]);
    if (contact.N !== null && contact.N !== undefined && !law.axes?.includes("N")) pairs.unshift(["N", quantity(run.at(contact.N, at), "N", 3)]);
    if (law.velocity?.length && law.dim < 3) pairs.push(["slip", quantity(this.reader.slipSpeed(law, at), velocityUnit(law.units?.[0]), 3)]);
    if (this.holds) pairs.push(["used", state === "open" ? "–" : `${number(100 * this.holds.share(at, law.force.map((channel) => -run.at(channel, at))), 3)} %`]);
    this.values.replaceChildren(...pairs.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))));
  }

  get isFine(): boolean {
    return this.view?.isFine ?? true;
  }

  private save(): void {
    if (this.view) saveText(this.view.graphic(), `reservoir_${this.choices[this.chosen].contact.name}.svg`, "image/svg+xml");
  }
}
