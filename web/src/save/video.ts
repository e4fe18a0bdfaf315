// A WebM of the animation: the run is played from its start while what is drawn is recorded.
import type { Clock } from "../data/clock";
import type { Stage } from "../scene/stage";
import { download } from "./files";

export function canRecord(): boolean {
  return typeof MediaRecorder !== "undefined" && typeof HTMLCanvasElement.prototype.captureStream === "function";
}

export class Recorder {
  private recorder: MediaRecorder | null = null;
  private readonly copy = document.createElement("canvas");

  constructor(private readonly stage: Stage, private readonly clock: Clock, private readonly told: (recording: boolean) => void) {}

  get recording(): boolean {
    return this.recorder !== null;
  }

  /** From the start to the end, or until `stop`. */
  start(): void {
    if (this.recorder) return;
    // The size of the video is that of its first picture, whatever the stage draws with meanwhile.
    const { clientWidth, clientHeight } = this.stage.canvas;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.copy.width = 2 * Math.round((clientWidth * ratio) / 2);
    this.copy.height = 2 * Math.round((clientHeight * ratio) / 2);
    this.stage.paintOn(this.copy);
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
    const recorder = new MediaRecorder(this.copy.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      download(new Blob(parts, { type: "video/webm" }), "animation.webm");
      this.told(false);
    };
    this.recorder = recorder;
    this.clock.pause();
    this.clock.set(this.clock.start);
    recorder.start();
    this.clock.play();
    this.told(true);
  }

  stop(): void {
    this.clock.pause();
    this.recorder?.stop();
  }

  /** After every frame that was drawn. */
  frame(): void {
    if (!this.recorder) return;
    this.stage.paintOn(this.copy);
    if (!this.clock.playing) this.recorder.stop();
  }
}
