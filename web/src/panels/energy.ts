// Energy, and where it went: what contacts and joints dissipated, as recorded (columns NAME.dissipated) or, where it was not, integrated
// from the forces and velocities of the rows that the page has. The rest is named.
import { h } from "../app/dom";
import type { Clock } from "../data/clock";
import { number, quantity } from "../data/numbers";
import type { Run } from "../data/run";
import type { ExtraColumn } from "../plots/curves";
import { PlotsPanel } from "../plots/panel";
import { ContactReader } from "../scene/contact_state";

interface Sink {
  name: string;
  recorded: boolean;
  values: (run: Run) => Float64Array | Float32Array;
}

const mostSinks = 7;

function energyColumn(run: Run): number {
  return run.find("energy");
}

// The work of the forces of a contact's laws, with the trapezoidal rule: -lambda . gamma is what friction takes.
function integrated(run: Run, contactIndex: number): Float64Array {
  const work = new Float64Array(run.rows);
  const contact = run.scene.contacts[contactIndex];
  const power = (row: number): number => {
    let sum = 0;
    for (const law of contact?.laws ?? []) {
      if (!law.velocity || law.velocity.length !== law.force.length) continue;
      law.force.forEach((force, i) => (sum -= run.at(force, row) * run.at((law.velocity as typeof law.force)[i], row)));
    }
    return sum;
  };
  const reader = new ContactReader(run, contact);
  let before = power(0);
  for (let row = 1; row < run.rows; row++) {
    // A percussion is the force of one step and not of the time from row to row.
    const now = reader.state(row) === "impact" ? before : power(row);
    work[row] = work[row - 1] + ((before + now) / 2) * (run.t[row] - run.t[row - 1]);
    before = now;
  }
  return work;
}

function sinksOf(run: Run): Sink[] {
  const recorded = run.columns.map((column, index) => ({ column, index })).filter(({ column }) => /\.dissipated$/.test(column.name));
  if (recorded.length > 0) {
    // A contact with several laws may have columns for each of them, too: those are parts of its own.
    const names = recorded.map(({ column }) => column.name);
    const whole = names.filter((name) => !names.some((other) => other !== name && name.startsWith(other.replace(/dissipated$/, ""))));
    const sinks: Sink[] = whole.map((name) => ({ name: name.replace(/\.dissipated$/, ""), recorded: true, values: (r) => r.column(r.find(name)) }));
    if (run.find("energy_damped") >= 0) sinks.push({ name: "damping", recorded: true, values: (r) => r.column(r.find("energy_damped")) });
    if (run.find("energy_supplied") >= 0) sinks.push({ name: "from outside", recorded: true, values: (r) => Float64Array.from(r.column(r.find("energy_supplied")), (value) => -value) });
    // What takes nothing, as a constraint, is not listed.
    const energy = run.column(run.find("energy"));
    const scale = energy.reduce((most, value) => Math.max(most, Math.abs(value - energy[0])), 0);
    return sinks.filter((sink) => sink.values(run).some((value) => Math.abs(value) > 1e-6 * scale));
  }
  return run.scene.contacts.map((contact, i) => ({ contact, i }))
    .filter(({ contact }) => contact.laws?.some((law) => law.velocity && law.velocity.length === law.force.length))
    .slice(0, 60)
    .map(({ contact, i }) => ({ name: contact.name, recorded: false, values: (r: Run) => integrated(r, i) }));
}

export class EnergyPanel {
  readonly element: HTMLElement;
  private readonly plots: PlotsPanel | null;
  private readonly table = h("div", { class: "sinks" });
  private readonly sinks: Sink[];
  private readonly kept = new Map<Run, Map<string, ArrayLike<number>>>();

  constructor(runs: Run[], private readonly current: () => Run, private readonly clock: Clock) {
    const run = runs[0];
    const column = energyColumn(run);
    this.sinks = sinksOf(run).sort((a, b) => this.end(run, b) - this.end(run, a));
    if (column < 0) {
      this.plots = null;
      this.element = h("div", { class: "document" }, h("p", { class: "note" }, "This run has no column “energy”: it was recorded without it."));
      return;
    }
    const main = this.sinks.slice(0, mostSinks);
    const extra: ExtraColumn[] = main.map((sink) => ({ name: `${sink.name} took`, unit: "J", values: (r) => this.valuesOf(r, sink) }));
    this.plots = new PlotsPanel(runs, current, clock, [{ x: "t", ys: ["energy", ...extra.map((one) => one.name)], extra }], true);
    const estimate = this.sinks.length > 0 && !this.sinks[0].recorded;
    this.element = h("div", { class: "energy" }, this.plots.element, this.table,
      estimate ? h("p", { class: "note" }, "What contacts took is integrated here from the forces and velocities of the rows shown; impacts between two rows are in the rest.") : null);
  }

  private valuesOf(run: Run, sink: Sink): ArrayLike<number> {
    let byName = this.kept.get(run);
    if (!byName) this.kept.set(run, (byName = new Map()));
    let values = byName.get(sink.name);
    if (!values) byName.set(sink.name, (values = sink.values(run)));
    return values;
  }

  private end(run: Run, sink: Sink): number {
    return this.valuesOf(run, sink)[run.rows - 1] ?? 0;
  }

  rebuild(): void {
    this.plots?.rebuild();
    this.update();
  }

  update(): void {
    if (!this.plots || this.element.offsetParent === null) return;
    this.plots.update();
    const run = this.current();
    const energy = run.column(energyColumn(run));
    const row = run.moment(this.clock.t).row;
    const start = energy[0];
    const rows: { name: string; value: number; color: string }[] = [{ name: "still there", value: energy[row], color: "var(--curve-1)" }];
    let taken = 0;
    this.sinks.forEach((sink, i) => {
      const value = this.valuesOf(run, sink)[row];
      taken += value;
      if (i < mostSinks) rows.push({ name: sink.name, value, color: `var(--curve-${((i + 1) % 8) + 1})` });
    });
    const listed = rows.slice(1).reduce((sum, one) => sum + one.value, 0);
    if (this.sinks.length > mostSinks) rows.push({ name: `${this.sinks.length - mostSinks} other contacts`, value: taken - listed, color: "var(--faint)" });
    const isCounted = run.find("energy_balance") >= 0;
    rows.push({ name: isCounted ? "the method" : "rest: work of forces, impacts, the method", value: start - energy[row] - taken, color: "var(--line-strong)" });
    const scale = Math.max(...rows.map((one) => Math.abs(one.value)), Math.abs(start), 1e-300);
    const seen = (value: number): number => (Math.abs(value) < 1e-6 * scale ? 0 : value); // the rounding of single precision
    this.table.replaceChildren(h("p", { class: "sinks-head" }, `Of ${quantity(start, "J", 4)} at the start, at this moment`),
      ...rows.map((one) => {
        const bar = h("span", { class: "sink-bar" });
        bar.style.width = `${(100 * Math.abs(one.value)) / scale}%`;
        bar.style.background = one.color;
        return h("div", { class: "sink" }, h("span", { class: "sink-name" }, one.name), h("span", { class: "sink-track" }, bar),
          h("span", { class: "sink-value" }, quantity(seen(one.value), "J", 4)),
          h("span", { class: "sink-share" }, Math.abs(start) > 0 ? `${number((100 * seen(one.value)) / Math.abs(start), 3)} %` : ""));
      }));
  }
}
