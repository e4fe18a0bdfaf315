// What the run said: its summary, its warnings, its events to click.
import { h } from "../app/dom";
import type { Clock } from "../data/clock";
import { number } from "../data/numbers";
import type { Run } from "../data/run";

const listed = 500;

export class SummaryPanel {
  readonly element = h("div", { class: "document" });
  private rows: { element: HTMLElement; t: number }[] = [];

  constructor(private readonly current: () => Run, private readonly clock: Clock, private readonly program: string, private readonly onContact: (name: string) => void) {
    this.rebuild();
  }

  rebuild(): void {
    const run = this.current();
    const overrides = Object.entries(run.source.overrides ?? {});
    const warnings = run.source.warnings ?? [];
    this.rows = run.events.slice(0, listed).map((event) => ({
      t: event.t,
      element: h("button", { type: "button", class: "event-row", onclick: () => {
        this.clock.pause();
        this.clock.set(event.t);
        this.onContact(event.contact);
      } }, h("span", { class: "event-time" }, `${number(event.t, 6)} s`), h("span", {}, event.contact), h("span", { class: "event-kind" }, event.kind.replace(/_/g, " "))),
    }));
    this.element.replaceChildren(
      h("h3", {}, "Run"),
      ...(overrides.length ? [h("p", {}, `With ${overrides.map(([name, value]) => `${name} = ${value}`).join(", ")}.`)] : []),
      h("div", { class: "summary lines" }, ...((run.source.summary ?? "").trimEnd() || "no summary was kept").split("\n").map((line) => h("div", {}, line))),
      ...(warnings.length ? [h("h3", {}, "Warnings"), h("ul", { class: "warnings" }, ...warnings.map((warning) => h("li", {}, h("code", {}, warning.code), ` ${warning.message}`)))] : []),
      ...(run.left.length ? [h("h3", {}, "Not drawn"), h("p", {}, `This page cannot draw ${run.left.slice(0, 12).join(", ")}${run.left.length > 12 ? ` and ${run.left.length - 12} more` : ""}.`)] : []),
      ...(this.rows.length ? [h("h3", {}, `Events (${run.events.length})`), h("div", { class: "events" }, ...this.rows.map((row) => row.element)),
        run.events.length > listed ? h("p", { class: "note" }, `the first ${listed} are listed`) : ""] : []),
      h("p", { class: "note" }, `${run.rows} rows of ${run.columns.filter((column) => !column.hidden).length} columns in this page, in single precision; nsmc run -o records all. ${this.program}`));
    this.update();
  }

  update(): void {
    if (this.rows.length === 0 || this.element.offsetParent === null) return;
    const near = (this.current().end - this.current().start) / 2000;
    for (const row of this.rows) row.element.classList.toggle("now", Math.abs(row.t - this.clock.t) <= near);
  }
}
