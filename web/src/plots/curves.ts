// What a plot shows: columns of the runs against time or against a column, with colours, strokes and axes by unit.
import { curveColor } from "../app/theme";
import { unitText } from "../data/numbers";
import type { Run } from "../data/run";

export interface PlotSpec {
  /** "t" or the name of a column. */
  x: string;
  ys: string[];
  /** Columns that are computed rather than recorded, by name (energy and where it went). */
  extra?: ExtraColumn[];
  title?: string;
}

export interface ExtraColumn {
  name: string;
  unit: string;
  values: (run: Run) => ArrayLike<number>;
}

export interface Curve {
  run: Run;
  name: string;
  unit: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  color: () => string;
  dash: number[];
}

const dashes: number[][] = [[], [6, 4], [2, 3], [9, 3, 2, 3], [12, 4]];

function columnOf(run: Run, name: string, extra: ExtraColumn[] | undefined): { values: ArrayLike<number>; unit: string } | null {
  if (name === "t") return { values: run.t.subarray(0, run.rows), unit: "s" };
  const computed = extra?.find((column) => column.name === name);
  if (computed) return { values: computed.values(run), unit: computed.unit };
  const index = run.find(name);
  if (index < 0) return null;
  return { values: run.column(index), unit: unitText(run.columns[index].unit) };
}

/** One curve for every run and column. With one run colours tell columns; with several they tell runs, and strokes columns. */
export function curvesOf(runs: Run[], spec: PlotSpec): Curve[] {
  const curves: Curve[] = [];
  const several = runs.length > 1;
  for (const run of runs) {
    const x = columnOf(run, spec.x, spec.extra);
    if (!x) continue;
    spec.ys.forEach((name, k) => {
      const y = columnOf(run, name, spec.extra);
      if (!y) return;
      curves.push({ run, name, unit: y.unit, x: x.values, y: y.values, color: () => curveColor(several ? run.index : k), dash: several ? dashes[k % dashes.length] : [] });
    });
  }
  return curves;
}

export function unitOf(runs: Run[], spec: PlotSpec, name: string): string {
  for (const run of runs) {
    const found = columnOf(run, name, spec.extra);
    if (found) return found.unit;
  }
  return "";
}

/** From the least to the largest value, with a little air; never empty. */
export function rangeOf(values: ArrayLike<number>[], air: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const list of values) {
    for (let i = 0; i < list.length; i++) {
      const value = list[i];
      if (value < low) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  if (!(high >= low) || !Number.isFinite(low)) return [-1, 1];
  const size = high - low || Math.abs(high) * 0.2 || 1;
  return [low - size * air, high + size * air];
}
