// The time that everything in the page shows: one value, played, set by the slider, the plots and the keys.

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Clock {
  t: number;
  playing = false;
  speed = 1;
  /** Begin anew at the end, as in the studio. */
  loops = false;
  private readonly listeners: (() => void)[] = [];

  constructor(public start: number, public end: number) {
    this.t = start;
  }

  /** Called after every change of time, of playing or of speed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  set(t: number): void {
    const clamped = Math.min(this.end, Math.max(this.start, t));
    if (clamped === this.t) return;
    this.t = clamped;
    this.tell();
  }

  /** Another run may last longer or shorter. */
  setRange(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.t = Math.min(end, Math.max(start, this.t));
    this.tell();
  }

  play(): void {
    if (this.playing || !(this.end > this.start)) return;
    if (this.t >= this.end) this.t = this.start;
    this.playing = true;
    this.tell();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(speeds[speeds.length - 1], Math.max(speeds[0], speed));
    this.tell();
  }

  /** One of the speeds up (1) or down (-1). */
  changeSpeed(direction: number): void {
    const at = speeds.reduce((best, speed, i) => (Math.abs(Math.log(speed / this.speed)) < Math.abs(Math.log(speeds[best] / this.speed)) ? i : best), 0);
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, at + direction))]);
  }

  /** Real seconds have passed; at the end the motion stands still, or begins anew. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.t + seconds * this.speed;
    if (next >= this.end && this.loops) {
      this.t = this.start;
    } else if (next >= this.end) {
      this.t = this.end;
      this.playing = false;
    } else {
      this.t = next;
    }
    this.tell();
  }
}

export function speedText(speed: number): string {
  return speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`;
}
