// What `nsmc view` writes into the page (docs/viewing.md): version 1 of the format. All quantities in SI.

/** A number that is constant in time, or column `c` of the run's data. */
export type Channel = number | { c: number };
export type Vector = Channel[];

export interface Item {
  name: string;
  kind: string;
  position?: Vector | null;
  /** A unit quaternion w, x, y, z. */
  orientation?: Vector | null;
  color?: string | null;
  body?: string | null;
  doc?: string;
  radius?: Channel;
  radii?: Vector;
  size?: Vector;
  length?: Channel;
  thickness?: Channel;
  points?: Vector[];
  from?: Vector;
  to?: Vector;
  text?: string;
}

export interface Shape {
  points?: number[][];
  triangles?: number[][];
  scale?: Channel;
  offset?: Vector | null;
  /** A boundary for every row: base64 of float32 [rows][n][dim]. */
  n?: number;
  frames?: string;
}

export interface ForceSet {
  role: "reservoir" | "slip" | "both";
  boundary: Shape;
}

export interface Law {
  name: string;
  text?: string;
  dim: number;
  axes?: string[];
  units?: string[];
  force: Vector;
  velocity?: Vector | null;
  sets: ForceSet[];
}

export interface Contact {
  name: string;
  bodies?: (string | null)[];
  point?: Vector | null;
  normal?: Vector | null;
  tangents?: Vector[] | null;
  closed?: Channel | null;
  gap?: Channel | null;
  N?: Channel | null;
  T?: Vector | null;
  drill?: Channel | null;
  roll?: Vector | null;
  laws?: Law[];
}

export interface Joint {
  name: string;
  kind: string;
  position: Vector;
  axis?: Vector | null;
}

export interface Scene {
  items: Item[];
  contacts: Contact[];
  springs?: Item[];
  joints?: Joint[];
}

export interface Column {
  name: string;
  unit?: string;
  doc?: string;
  hidden?: boolean;
}

export interface RunEvent {
  t: number;
  contact: string;
  kind: string;
}

export interface RunData {
  label?: string;
  overrides?: Record<string, string>;
  columns: Column[];
  rows: number;
  t: string;
  data: string;
  events?: RunEvent[];
  summary?: string;
  warnings?: { code: string; message: string }[];
  scene?: Scene | null;
}

export interface Parameter {
  name: string;
  unit?: string;
  value: number | number[] | string;
  doc?: string;
  expression?: string;
}

export interface ModelData {
  name: string;
  doc?: string;
  planar?: boolean;
  sources?: { file: string; text: string }[];
  latex?: string;
  parameters?: Parameter[];
  gravity?: number[];
}

export interface Study {
  /** `option`: what stands before a value in a command, "--set mu=". */
  axes: { name: string; unit?: string; option?: string; values: (number | string)[] }[];
  /** What shows a single run, but for the options of the axes. */
  command?: string;
  measures: (string | { name: string; unit?: string })[];
  rows: StudyRow[];
}

export interface StudyRow {
  point: (number | string)[];
  values: (number | null)[];
  status?: string;
  failed?: boolean;
  /** The run whose curves were kept, by its place in `runs`. */
  run?: number;
}

export interface PageData {
  format: number;
  program?: string;
  model: ModelData;
  scene?: Scene | null;
  runs?: RunData[];
  study?: Study | null;
}
