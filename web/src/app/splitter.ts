// A bar between two parts that can be dragged, or moved by arrow keys; it sets a custom property in pixels.
import { h } from "./dom";

export function splitter(axis: "x" | "y", parent: HTMLElement, property: string, sized: HTMLElement): HTMLElement {
  const bar = h("div", { class: `splitter ${axis}`, role: "separator", tabindex: 0, "aria-orientation": axis === "x" ? "vertical" : "horizontal", "aria-label": "size of the panel" });
  const set = (pixels: number): void => {
    const room = axis === "x" ? parent.clientWidth : parent.clientHeight;
    parent.style.setProperty(property, `${Math.round(Math.min(room - 200, Math.max(120, pixels)))}px`);
  };
  const size = (): number => (axis === "x" ? sized.getBoundingClientRect().width : sized.getBoundingClientRect().height);
  // What lies before the bar grows with it, what lies behind it shrinks.
  const sign = (): number => (bar.compareDocumentPosition(sized) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1);
  bar.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    const start = axis === "x" ? event.clientX : event.clientY;
    const before = size();
    const move = (now: PointerEvent): void => set(before + sign() * ((axis === "x" ? now.clientX : now.clientY) - start));
    const done = (): void => bar.removeEventListener("pointermove", move);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", done, { once: true });
    bar.addEventListener("pointercancel", done, { once: true });
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -20, ArrowRight: 20, ArrowUp: -20, ArrowDown: 20 }[event.key];
    if (step === undefined || (axis === "x") !== /Left|Right/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    set(size() + sign() * step);
  });
  return bar;
}
