// How finely a canvas is drawn. With a graphics processor always as finely as the screen allows. In software rendering, where every
// pixel costs, coarsely and without smoothing while things move, and with four times the pixels once they stand still.
const restMs = 120;

let software: boolean | null = null;

/** WebGL is there, but the processor does its work. */
export function isSoftwareRendering(): boolean {
  if (software === null) {
    const gl = document.createElement("canvas").getContext("webgl2");
    const names = gl?.getExtension("WEBGL_debug_renderer_info");
    software = !!gl && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
  }
  return software;
}

export class Sharpness {
  readonly smoothed = !isSoftwareRendering();
  /** Pixels of the screen for one of the page. */
  readonly screen = Math.min(2, window.devicePixelRatio || 1);
  readonly fine = this.smoothed ? this.screen : this.screen > 1 ? 3 : 2;
  private rough = this.smoothed ? this.screen : 1;
  private movedAt = 0;
  private rests = false;
  private apart = 0; // milliseconds from one frame to the next while things move

  /** The pixel ratio of the frame to be drawn now, null for none: nothing moved, and the fine picture is there. */
  next(moved: boolean): number | null {
    if (this.smoothed && this.rough === this.fine) return moved ? this.fine : null;
    if (moved) {
      this.apart = Math.min(500, performance.now() - this.movedAt);
      this.movedAt = performance.now();
      this.rests = false;
      return this.rough;
    }
    if (this.rests || performance.now() - this.movedAt < this.wait) return null;
    this.rests = true;
    return this.fine;
  }

  /** How long after a frame it is clear that no other follows, in milliseconds: what is merely slow does not stand still. */
  get wait(): number {
    return Math.max(restMs, 3 * this.apart);
  }

  /** Whether the picture that stands is the fine one. */
  get isFine(): boolean {
    return this.rests || (this.smoothed && this.rough === this.fine);
  }

  /** Frames come too late: fewer pixels while things move. False if there is nothing left to save. */
  lower(): boolean {
    if (this.rough <= 1) return false;
    this.rough = 1;
    return true;
  }
}
