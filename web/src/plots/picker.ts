// The list of columns to choose from, with a field to search in.
import { h } from "../app/dom";
import { unitText } from "../data/numbers";
import type { Run } from "../data/run";

const listed = 300;

export function fillPicker(menu: HTMLElement, run: Run, chosen: () => string[], toggle: (name: string) => void, options: { single?: boolean; time?: boolean } = {}): void {
  const list = h("div", { class: "picker-list" });
  const field = h("input", { type: "search", class: "field", placeholder: "Find a column", "aria-label": "find a column", oninput: () => show() });
  const columns = [...(options.time ? [{ name: "t", unit: "s", doc: "time" }] : []), ...run.columns.filter((column) => !column.hidden && column.name !== "t")];
  const show = (): void => {
    const wanted = field.value.trim().toLowerCase();
    const found = columns.filter((column) => !wanted || `${column.name} ${column.doc ?? ""}`.toLowerCase().includes(wanted));
    const now = chosen();
    list.replaceChildren(...found.slice(0, listed).map((column) =>
      h("button", { type: "button", class: "picker-row", role: "menuitemcheckbox", "aria-checked": String(now.includes(column.name)), title: column.doc ?? "",
        onclick: () => {
          toggle(column.name);
          show();
        } },
        h("span", { class: "tick" }, now.includes(column.name) ? "✓" : ""), h("span", { class: "picker-name" }, column.name), h("span", { class: "picker-unit" }, unitText(column.unit)))));
    if (found.length > listed) list.append(h("p", { class: "note" }, `${found.length - listed} more: narrow the search`));
    if (found.length === 0) list.append(h("p", { class: "note" }, "no column has this in its name"));
  };
  show();
  menu.append(field, list);
}
