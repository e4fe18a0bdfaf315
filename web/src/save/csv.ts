// Columns of a run as CSV, in the form of `nsmc run -o`: names in the first line, SI units.
import type { Run } from "../data/run";

function cell(name: string): string {
  return /[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name;
}

/** The rows from one time to another of some columns. Data are float32: seven digits say all that there is. */
export function csvOf(run: Run, columns: number[], from: number, to: number): string {
  const lines = [["t", ...columns.map((index) => cell(run.columns[index].name))].join(",")];
  const data = columns.map((index) => run.column(index));
  for (let row = 0; row < run.rows; row++) {
    if (run.t[row] < from || run.t[row] > to) continue;
    lines.push([run.t[row], ...data.map((column) => Number(column[row].toPrecision(8)))].join(","));
  }
  return lines.join("\n") + "\n";
}
