// Tabs with the keys that assistive technology expects.
import { h } from "../app/dom";

export interface Tab {
  name: string;
  element: HTMLElement;
  /** When it becomes visible. */
  shown?: () => void;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];

  constructor(private readonly tabs: Tab[]) {
    this.buttons = tabs.map((tab, i) => h("button", { type: "button", role: "tab", class: "tab", id: `tab-${i}`, "aria-controls": `panel-${i}`, onclick: () => this.show(i) }, tab.name));
    const bar = h("div", { class: "tab-bar", role: "tablist", onkeydown: (event: KeyboardEvent) => this.key(event) }, ...this.buttons);
    const panels = tabs.map((tab, i) => h("div", { class: "tab-panel", role: "tabpanel", id: `panel-${i}`, "aria-labelledby": `tab-${i}`, hidden: true }, tab.element));
    this.element = h("section", { class: "tabs" }, bar, h("div", { class: "tab-panels" }, ...panels));
    this.panels = panels;
    this.show(0);
  }
  private readonly panels: HTMLElement[];

  show(index: number): void {
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
      this.panels[i].hidden = i !== index;
    });
    this.tabs[index].element.dispatchEvent(new Event("shown"));
    // Layout first: panels measure themselves.
    requestAnimationFrame(() => this.tabs[index].shown?.());
  }

  private key(event: KeyboardEvent): void {
    const at = this.buttons.findIndex((button) => button.getAttribute("aria-selected") === "true");
    const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : event.key === "Home" ? 0 : event.key === "End" ? this.buttons.length - 1 : -1;
    if (to < 0 && event.key !== "ArrowLeft") return;
    event.preventDefault();
    event.stopPropagation();
    const next = (to + this.buttons.length) % this.buttons.length;
    this.show(next);
    this.buttons[next].focus();
  }
}
