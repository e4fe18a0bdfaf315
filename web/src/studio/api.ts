// What the studio asks its server (compiler/driver/studio/): files, diagnostics, runs. The token of the address goes with every request.
import type { PageData } from "../data/contract";

const token = new URLSearchParams(location.search).get("token") ?? "";

export interface Files {
  folder: string;
  first: string;
  files: string[];
  examples: { name: string; doc: string }[];
}
export interface Place {
  file: string;
  line: number;
  column: number;
  begin: number; // bytes
  end: number;
}
/** A change of the text that mends a mistake; places in bytes. */
export interface Fix {
  title: string;
  begin: number;
  end: number;
  text: string;
}
export interface Diagnostic {
  code: string;
  error: boolean;
  message: string;
  hint: string;
  place: Place;
  notes: { place: Place; text: string }[];
  fixes: Fix[];
}
/** What may be written in the place of the bytes from `begin` to `end`. */
export interface Completions {
  begin: number;
  end: number;
  items: { text: string; kind: string; detail: string; doc: string; rank: number }[];
}
/** What is known of a word. */
export interface Explanation {
  begin: number;
  end: number;
  title: string;
  text: string;
  formulas: string[];
}
export interface Parameter {
  name: string;
  doc: string;
  unit: string; // as the model writes it
  factor: number; // what one of it is in SI
  value: number; // SI
  expression: string;
  structural: boolean;
  bounds: [number, number] | null;
}
export interface Checked {
  ok: boolean;
  name: string;
  doc: string;
  file: string; // as diagnostics name the text itself
  diagnostics: Diagnostic[];
  parameters: Parameter[];
}

/** What the server refused: 404 there is no such file, 412 others have written it. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

const versionHeader = "X-Nsmc-Version";

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, { ...options, headers: { ...options.headers, "X-Nsmc-Token": token } });
  if (!answer.ok) throw new Refused(answer.status, (await answer.text()).trim() || answer.statusText);
  return answer;
}

const named = (path: string, name: string): string => `${path}?name=${encodeURIComponent(name)}`;
const versionOf = (answer: Response): string => answer.headers.get(versionHeader) ?? "";

export interface Stored {
  text: string;
  version: string; // which says whether the file is still the same
}

/** Each frame has an address of its own: the browser lets two requests for one address wait for each other. */
export const viewAddress = (frame: number): string => `/view?token=${encodeURIComponent(token)}&frame=${frame}`;
export const files = async (): Promise<Files> => (await ask("/api/files")).json();
export async function read(name: string): Promise<Stored> {
  const answer = await ask(named("/api/file", name));
  return { text: await answer.text(), version: versionOf(answer) };
}
/** In the place of the text with this version, "" for a new file; returns that of the new text. */
export const save = async (name: string, text: string, version: string): Promise<string> =>
  versionOf(await ask(named("/api/file", name), { method: "PUT", body: text, headers: { [versionHeader]: version } }));
export const check = async (name: string, text: string, signal: AbortSignal): Promise<Checked> =>
  (await ask(named("/api/check", name), { method: "POST", body: text, signal })).json();
const at = (path: string, name: string, offset: number): string => `${named(path, name)}&at=${offset}`;
export const complete = async (name: string, text: string, offset: number, signal?: AbortSignal): Promise<Completions> =>
  (await ask(at("/api/complete", name, offset), { method: "POST", body: text, signal })).json();
export const explain = async (name: string, text: string, offset: number): Promise<Explanation | null> =>
  (await ask(at("/api/explain", name, offset), { method: "POST", body: text })).json();

export interface RunRequest {
  name: string;
  text: string;
  overrides: Record<string, number>;
}

/** Runs until it is done or aborted; closing the connection stops the run at the server. */
export async function run(request: RunRequest, progress: (part: number) => void, signal: AbortSignal): Promise<PageData> {
  const answer = await ask("/api/run", { method: "POST", body: JSON.stringify(request), signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = []; // of the line that is still coming: pages may be large
  let page: PageData | null = null;
  // To the very end of the answer: a browser has few connections to a server, and one that was not read to its end is not free again.
  for (;;) {
    const { done, value } = await reader.read();
    if (done && page) return page;
    if (done) throw new Error("the studio ended before the run did");
    const parts = decoder.decode(value, { stream: true }).split("\n");
    for (let i = 0; i < parts.length; ++i) {
      pieces.push(parts[i]);
      if (i + 1 === parts.length) break;
      const line = pieces.splice(0).join("");
      if (!line) continue;
      const told = JSON.parse(line) as { progress?: number; page?: PageData; error?: string };
      if (told.error !== undefined) {
        void reader.cancel();
        throw new Error(told.error);
      }
      if (told.page) page = told.page;
      else progress(told.progress ?? 0);
    }
  }
}
