// The menu of models: those of the folder, the examples with what they show, new ones.
import { closeMenu, h } from "../app/dom";
import { keywords } from "../language/grammar";
import type { Files } from "./api";

export const examples = "/examples/";
export const isExample = (name: string): boolean => name.startsWith(examples);
/** As a reader sees it. */
export const shownName = (name: string): string => (isExample(name) ? name.slice(examples.length) : name);

export interface FileActions {
  open(name: string): void;
  create(): void;
  saveAs(): void;
}

export function fillFiles(menu: HTMLElement, list: Files, current: string, act: FileActions): void {
  const later = (then: () => void) => (): void => {
    closeMenu(menu);
    then();
  };
  const row = (name: string, doc: string): HTMLElement =>
    h("button", { type: "button", class: "menu-row", role: "menuitem", "aria-current": name === current ? "true" : undefined, onclick: later(() => act.open(name)) },
      h("span", {}, shownName(name)), doc ? h("span", { class: "menu-doc" }, doc) : null);
  const rows = [...list.files.map((name) => row(name, "")), ...list.examples.map(({ name, doc }) => row(name, doc))];
  const find = h("input", { type: "search", class: "field", placeholder: "Find a model", "aria-label": "find a model", oninput: () => {
    for (const one of rows) one.hidden = !one.textContent?.toLowerCase().includes(find.value.toLowerCase());
  } });
  menu.classList.add("files");
  menu.append(h("button", { type: "button", class: "menu-row", role: "menuitem", onclick: later(() => act.create()) }, "New model …"),
    h("button", { type: "button", class: "menu-row", role: "menuitem", onclick: later(() => act.saveAs()) }, "Save as …"), find,
    h("div", { class: "file-list" },
      h("p", { class: "menu-title" }, `In ${list.folder}`), ...(list.files.length ? rows.slice(0, list.files.length) : [h("p", { class: "note" }, "no models yet")]),
      h("p", { class: "menu-title" }, "Examples"), ...rows.slice(list.files.length)));
}

/** What a new model begins with: something that moves. */
export function starter(name: string): string {
  const word = shownName(name).replace(/^.*\//, "").replace(/\.nsm$/, "").replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)/, "m");
  return `// A ball that falls on a floor. Change it and watch.
model ${!word || keywords.has(word) ? "ball" : word} "A ball that bounces"

param m = 1 [kg]         "mass"
param e = 0.7 in 0..1    "restitution: 0 does not bounce, 1 loses nothing"
param h0 = 1 [m]         "height at the start"
param g = 9.81 [m/s^2]   "gravity"

coord z [m] = h0         "height"

kinetic m/2*z'^2
potential m*g*z

contact floor {
  gap z
  law unilateral(restitution = e)
}

draw ball = sphere(5 [cm]) at [0, z + 5 [cm]] color "orange"
draw ground = box([0.6, 0.02] [m]) at [0, -1 [cm]]

simulate { until 4 [s]  step 1 [ms] }
`;
}
