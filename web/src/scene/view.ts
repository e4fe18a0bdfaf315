// The stage in the page: the canvas with its small tools at the corners, and what a click on a body does.
import { h, icon, iconButton, menuButton } from "../app/dom";
import { quantity } from "../data/numbers";
import type { View } from "./camera";
import { stateColor, stateText } from "./contact_state";
import type { Stage } from "./stage";

export class StageView {
  readonly element: HTMLElement;
  private readonly bar = h("span", { class: "scale-line" });
  private readonly barText = h("span", { class: "scale-text" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly projection: HTMLButtonElement;
  private readonly follow: HTMLSelectElement;
  private readonly key: HTMLElement;

  constructor(readonly stage: Stage) {
    this.projection = h("button", { type: "button", class: "stage-button", title: "perspective or parallel (p)", onclick: () => this.toggleProjection() });
    const views = stage.planar ? [] : (["top", "front", "side"] as View[]).map((view, i) =>
      h("button", { type: "button", class: "stage-button", title: `${view} view (${i + 1})`, onclick: () => this.look(view) }, view[0].toUpperCase() + view.slice(1)));
    this.follow = h("select", { class: "stage-button", title: "follow a body (f)", "aria-label": "follow a body", onchange: () => this.setFollowed(this.follow.value || null) });
    const show = menuButton(h("button", { type: "button", class: "stage-button", title: "what is shown" }, icon("eye"), "Show"), (menu) => this.fillShow(menu), "left");
    const fit = iconButton("fit", "See everything", () => this.look("free"), "0");
    fit.classList.add("stage-button");
    this.key = h("div", { class: "state-key" });
    this.element = h("div", { class: "stage" }, stage.canvas,
      h("div", { class: "stage-tools" }, show, this.follow, h("div", { class: "stage-group" }, ...views, fit), stage.planar ? null : this.projection),
      h("div", { class: "stage-scale", title: "at the distance of the point looked at" }, this.bar, this.barText), this.key, this.tip);
    this.fillFollow();
    this.showProjection();
    this.fillKey();
    new ResizeObserver(() => {
      const box = this.element.getBoundingClientRect();
      stage.resize(Math.round(box.width), Math.round(box.height));
      if (!this.sized && box.width > 0) {
        this.sized = true;
        stage.lookFirst(); // now that the shape of the picture is known
        this.follow.value = stage.followed ?? "";
      }
    }).observe(this.element);
    stage.canvas.addEventListener("dblclick", (event) => {
      const item = stage.pick(event.clientX, event.clientY);
      const name = item ? (item.body ?? item.name) : null;
      this.setFollowed(name && stage.points.includes(name) ? name : null);
    });
    this.watchPointer();
  }
  private sized = false;

  // Names appear where the pointer rests; with thousands of bodies a look every 120 ms is cheap enough.
  private watchPointer(): void {
    let timer = 0;
    const { canvas } = this.stage;
    canvas.addEventListener("pointermove", (event) => {
      this.tip.hidden = true;
      clearTimeout(timer);
      if (event.buttons || event.pointerType === "touch") return;
      timer = window.setTimeout(() => {
        const item = this.stage.pick(event.clientX, event.clientY);
        if (!item) return;
        const box = this.element.getBoundingClientRect();
        this.tip.textContent = item.body && item.body !== item.name ? `${item.body} · ${item.name}` : item.name;
        if (item.doc) this.tip.textContent += `: ${item.doc}`;
        this.tip.style.transform = `translate(${event.clientX - box.left + 14}px, ${event.clientY - box.top + 14}px)`;
        this.tip.hidden = false;
      }, 120);
    });
    canvas.addEventListener("pointerleave", () => {
      clearTimeout(timer);
      this.tip.hidden = true;
    });
  }

  private fillKey(): void {
    this.key.hidden = !(this.stage.hasForces && this.stage.shown.forces);
    this.key.replaceChildren(...this.stage.contactStates.map((state) => {
      const dot = h("span", { class: "key-dot" });
      dot.style.background = `var(${stateColor[state]})`;
      return h("span", {}, dot, state !== "closed" ? stateText[state] : this.stage.forcesOfJoints ? "joint" : "touches");
    }));
  }

  fillFollow(): void {
    const points = this.stage.points;
    this.follow.hidden = points.length === 0;
    this.follow.replaceChildren(h("option", { value: "" }, "Free camera"), ...points.slice(0, 500).map((name) => h("option", { value: name }, `Follow ${name}`)));
    this.follow.value = this.stage.followed ?? "";
  }

  setFollowed(name: string | null): void {
    this.stage.follow(name);
    this.follow.value = name ?? "";
  }

  followNext(): void {
    const points = this.stage.points;
    const at = this.stage.followed ? points.indexOf(this.stage.followed) : -1;
    this.setFollowed(at + 1 < points.length ? points[at + 1] : null);
  }

  look(view: View): void {
    this.stage.look(view);
    this.follow.value = "";
    if (view !== "free" && !this.stage.planar) this.stage.rig.setParallelProjection(true);
    if (view === "free" && !this.stage.planar) this.stage.rig.setParallelProjection(false);
    this.showProjection();
  }

  toggleProjection(): void {
    if (this.stage.planar) return;
    this.stage.rig.setParallelProjection(!this.stage.rig.isParallel);
    this.showProjection();
  }

  private showProjection(): void {
    this.projection.replaceChildren(icon("cube"), h("span", { class: "projection-text" }, this.stage.rig.isParallel ? "Parallel" : "Perspective"));
  }

  private fillShow(menu: HTMLElement): void {
    const { stage } = this;
    const box = (label: string, on: boolean, set: (on: boolean) => void): HTMLElement => {
      const input = h("input", { type: "checkbox", onchange: () => set(input.checked) });
      input.checked = on;
      return h("label", { class: "menu-check" }, input, label);
    };
    const flag = (label: string, name: keyof Stage["shown"]): HTMLElement => box(label, stage.shown[name], (on) => {
      stage.shown[name] = on;
      stage.touch();
      this.fillKey();
    });
    if (stage.hasForces) {
      const size = h("input", { type: "range", min: -1, max: 1, step: 0.05, value: this.factor, "aria-label": "length of the arrows", oninput: () => {
        this.factor = Number(size.value);
        stage.setForceFactor(10 ** this.factor);
      } });
      menu.append(flag("Contact forces", "forces"), h("label", { class: "menu-range" }, "Arrow length", size));
    }
    menu.append(flag("Ground and grid", "ground"));
    if (!stage.planar) menu.append(flag("Shadows", "shadows"));
    if (stage.severalRuns) menu.append(flag("Other runs as ghosts", "ghosts"));
    menu.append(flag("Traces", "traces"));
    const points = stage.points.slice(0, 60);
    if (points.length) {
      menu.append(h("p", { class: "menu-head" }, "Trace of"), h("div", { class: "menu-scroll" }, ...points.map((name) => box(name, stage.traced.has(name), (on) => {
        stage.shown.traces = true;
        stage.setTraced(name, on);
      }))));
    }
  }
  private factor = 0;

  /** After a frame: the scale bar. */
  update(): void {
    const { metres, pixels } = this.stage.scaleBar();
    const width = `${pixels.toFixed(1)}px`;
    if (this.bar.style.width === width) return;
    this.bar.style.width = width;
    this.barText.textContent = quantity(metres, "m", 2);
  }
}
