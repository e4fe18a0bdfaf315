// Elements of the page in one line each.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;
type Child = Node | string | null | undefined | false;

function put(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value as unknown as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  put(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  put(element, attributes, children);
  return element;
}

const icons: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  back: "M16 5v14l-9-7zM5 5h2v14H5z",
  forth: "M8 5v14l9-7zM17 5h2v14h-2z",
  first: "M18 5v14l-9-7zM6 5h2v14H6z",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  save: "M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 19.5h14",
  theme: "M12 3.5a8.5 8.5 0 1 0 0 17z M12 3.5a8.5 8.5 0 0 1 0 17",
  help: "M9.3 9.2a2.8 2.8 0 1 1 4 2.6c-.9.5-1.3 1-1.3 2M12 17h.01",
  eye: "M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12zM12 14.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2z",
  cube: "M12 3.5l7.5 4.2v8.6L12 20.5l-7.5-4.2V7.7zM4.5 7.7L12 12l7.5-4.3M12 12v8.5",
  fit: "M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15",
  down: "M6.5 9.5l5.5 5.5 5.5-5.5",
  "back-to": "M9.5 6L5 10.5 9.5 15M5.5 10.5H14a4.5 4.5 0 0 1 0 9h-2",
  record: "M12 17.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z",
};
const filled = new Set(["play", "pause", "back", "forth", "first", "record"]);

export function icon(name: keyof typeof icons | string): SVGElement {
  const solid = filled.has(name);
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", fill: solid ? "currentColor" : "none",
    stroke: solid ? "none" : "currentColor", "stroke-width": name === "more" ? 2.6 : 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" },
    svg("path", { d: icons[name] ?? "" }));
}

export function iconButton(name: string, label: string, onclick: (event: MouseEvent) => void, key?: string): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return h("button", { type: "button", class: "icon-button", title, "aria-label": label, onclick: onclick as (event: never) => void }, icon(name));
}

/** Something that listens until it is closed: menus and dialogs close on Escape and on a click elsewhere. */
export function menuButton(button: HTMLButtonElement, fill: (menu: HTMLElement) => void, align: "left" | "right" = "right"): HTMLElement {
  const menu = h("div", { class: `menu ${align}`, hidden: true, role: "menu" });
  const box = h("div", { class: "menu-box" }, button, menu);
  button.setAttribute("aria-haspopup", "true");
  button.setAttribute("aria-expanded", "false");
  const close = (): void => {
    if (menu.hidden) return;
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("keydown", escape, true);
  };
  const outside = (event: Event): void => {
    if (!box.contains(event.target as Node)) close();
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
    button.focus();
  };
  button.addEventListener("click", () => {
    if (!menu.hidden) return close();
    menu.replaceChildren();
    fill(menu);
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("keydown", escape, true);
    menu.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
  });
  menu.addEventListener("close-menu", close);
  return box;
}

export function closeMenu(from: Element): void {
  from.closest(".menu")?.dispatchEvent(new Event("close-menu"));
}
