// The runs so far, the last one on top; those that are ticked are shown beside it.
import { h } from "../app/dom";
import type { PageData, RunData } from "../data/contract";
import { number } from "../data/numbers";

const most = 8;

interface Past {
  data: PageData;
  label: string;
  compared: boolean;
}

export class PastRuns {
  readonly element = h("section", { class: "past", hidden: true, "aria-label": "past runs" });
  private runs: Past[] = []; // the last one first

  constructor(private readonly changed: () => void) {}

  clear(): void {
    this.runs = [];
    this.fill();
  }

  add(data: PageData, overrides: Record<string, number>): void {
    const label = Object.entries(overrides).map(([name, value]) => `${name} = ${number(value)}`).join(", ") || "as in the model";
    // Dragging a slider makes many runs: only those that are compared stay beside the last few.
    this.runs.unshift({ data, label, compared: false });
    while (this.runs.length > most) {
      const drop = this.runs.map((run) => run.compared).lastIndexOf(false);
      if (drop < 1) break;
      this.runs.splice(drop, 1);
    }
    this.fill();
  }

  /** One page of the last run and the compared ones. */
  together(): PageData | null {
    const last = this.runs[0];
    if (!last) return null;
    const runs: RunData[] = [last, ...this.runs.slice(1).filter((run) => run.compared)].flatMap((past) => {
      const run = past.data.runs?.[0];
      return run ? [{ ...run, label: past.label, scene: run.scene ?? past.data.scene }] : [];
    });
    return { ...last.data, runs };
  }

  private fill(): void {
    const past = this.runs.slice(1);
    this.element.hidden = past.length === 0;
    this.element.replaceChildren(h("header", {}, h("h2", {}, "Compare with")), ...past.map((run) => {
      const box = h("input", { type: "checkbox" });
      box.checked = run.compared;
      box.addEventListener("change", () => {
        run.compared = box.checked;
        this.changed();
      });
      return h("label", { class: "past-run" }, box, run.label);
    }));
  }
}
