// A run as the page reads it: decoded columns, channels at a row or between two rows.
import { float32Of, float64Of } from "./base64";
import { namedUnit } from "./numbers";
import { readableScene } from "./readable";
import type { Channel, Column, RunData, RunEvent, Scene, Vector } from "./contract";

/** A moment of a run: row `row`, and how far it is (0 to 1) towards the next one. */
export interface Moment {
  t: number;
  row: number;
  fraction: number;
}

export class Run {
  readonly label: string;
  readonly columns: Column[];
  readonly rows: number;
  readonly t: Float64Array;
  readonly events: RunEvent[];
  readonly scene: Scene;
  /** What of the scene this page cannot draw. */
  readonly left: string[];
  private readonly data: Float32Array;

  constructor(readonly source: RunData, common: Scene | null | undefined, readonly index: number) {
    this.columns = source.columns.map((column) => ({ ...column, unit: namedUnit(column.unit, /energy|dissipated|kinetic|potential|work/.test(column.name)) }));
    this.t = float64Of(source.t);
    this.rows = Math.min(source.rows, this.t.length);
    this.data = float32Of(source.data);
    this.events = [...(source.events ?? [])].sort((a, b) => a.t - b.t);
    ({ scene: this.scene, left: this.left } = readableScene(source.scene ?? common ?? { items: [], contacts: [] }, source.columns.length));
    this.label = source.label || (index === 0 ? "run" : `run ${index + 1}`);
    // The text is as large as the data itself, and nobody needs it any more.
    source.t = "";
    source.data = "";
  }

  get start(): number {
    return this.rows > 0 ? this.t[0] : 0;
  }
  get end(): number {
    return this.rows > 0 ? this.t[this.rows - 1] : 0;
  }

  column(index: number): Float32Array {
    return this.data.subarray(index * this.source.rows, index * this.source.rows + this.rows);
  }

  find(name: string): number {
    return this.columns.findIndex((column) => column.name === name);
  }

  /** The moment of time t; outside of the run its first or last row. */
  moment(t: number): Moment {
    const last = this.rows - 1;
    if (last <= 0 || !(t > this.t[0])) return { t: this.start, row: 0, fraction: 0 };
    if (t >= this.t[last]) return { t: this.end, row: last, fraction: 0 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle;
    }
    const length = this.t[high] - this.t[low];
    return { t, row: low, fraction: length > 0 ? (t - this.t[low]) / length : 0 };
  }

  /** The row nearest to time t. */
  nearest(t: number): number {
    const moment = this.moment(t);
    return moment.fraction > 0.5 ? moment.row + 1 : moment.row;
  }

  at(channel: Channel, row: number): number {
    return typeof channel === "number" ? channel : this.data[channel.c * this.source.rows + row];
  }

  /** Linear between rows, for what moves. Forces jump: they are read with `at`. */
  between(channel: Channel, moment: Moment): number {
    if (typeof channel === "number") return channel;
    const at = channel.c * this.source.rows + moment.row;
    const a = this.data[at];
    return moment.fraction === 0 ? a : a + (this.data[at + 1] - a) * moment.fraction;
  }

  norm(vector: Vector, row: number): number {
    let sum = 0;
    for (const channel of vector) sum += this.at(channel, row) ** 2;
    return Math.sqrt(sum);
  }
}

export function moves(channels: Vector | Channel | null | undefined): boolean {
  if (channels === null || channels === undefined) return false;
  return Array.isArray(channels) ? channels.some((channel) => typeof channel !== "number") : typeof channels !== "number";
}

/** The value below which a share of the magnitudes of a function of the row lies; at most 2000 rows are looked at. */
export function percentile(rows: number, value: (row: number) => number, share: number): number {
  const stride = Math.max(1, Math.floor(rows / 2000));
  const found: number[] = [];
  for (let row = 0; row < rows; row += stride) {
    const magnitude = Math.abs(value(row));
    if (Number.isFinite(magnitude) && magnitude > 0) found.push(magnitude);
  }
  if (found.length === 0) return 0;
  found.sort((a, b) => a - b);
  return found[Math.min(found.length - 1, Math.floor(share * found.length))];
}
