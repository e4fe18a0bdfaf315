// The right side of the studio: the page of `nsmc view` in a frame of its own. Runs of the same structure exchange their data in it; for
// another one a new frame is made behind the old, which goes when the new one shows something.
import { h } from "../app/dom";
import type { Page } from "../app/page";
import type { PageData } from "../data/contract";
import { viewAddress } from "./api";

type ViewWindow = Window & { nsmcShow?: (data: PageData) => void; nsmcPage?: Page };

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export class MotionView {
  readonly element = h("div", { class: "studio-motion" });
  private frame: HTMLIFrameElement | null = null;
  private coming: HTMLIFrameElement | null = null;
  private data: PageData | null = null; // of the frame that is coming
  private fresh = true;
  private frames = 0;

  /** `keys`: what is pressed in the frame, for the shortcuts of the studio. */
  constructor(private readonly keys: (event: KeyboardEvent) => void) {}

  /** What comes next is another model: time begins anew, and the motion plays. */
  begin(): void {
    this.fresh = true;
  }

  /** There is nothing to show of a model that was opened with errors. */
  clear(): void {
    this.element.replaceChildren(h("p", { class: "no-data" }, "Nothing moves yet: the model has errors, which are listed below the text."));
    this.frame = this.coming = null;
    this.fresh = true;
  }

  private get page(): Page | undefined {
    return (this.frame?.contentWindow as ViewWindow | null)?.nsmcPage;
  }

  show(data: PageData): void {
    this.data = data;
    if (this.coming) return; // it takes the newest data once it is there
    if (!this.fresh && this.page?.update(data)) return;
    const frame = h("iframe", { class: "studio-view", title: "the motion", src: viewAddress(++this.frames) });
    this.coming = frame;
    frame.addEventListener("load", () => this.arrived(frame));
    if (!this.frame) this.element.replaceChildren();
    this.element.append(frame);
  }

  private arrived(frame: HTMLIFrameElement): void {
    const shown = frame.contentWindow as ViewWindow;
    if (!this.data || !shown.nsmcShow || frame !== this.coming) return;
    shown.nsmcShow(this.data);
    shown.addEventListener("keydown", this.keys);
    const before = this.fresh ? undefined : this.page?.clock;
    const clock = shown.nsmcPage?.clock;
    if (clock) {
      clock.loops = true;
      if (before) {
        clock.speed = before.speed;
        clock.set(before.t);
      }
      if (before ? before.playing : !calm.matches) clock.play();
    }
    this.frame?.remove();
    this.frame = frame;
    this.coming = null;
    this.fresh = false;
  }
}
