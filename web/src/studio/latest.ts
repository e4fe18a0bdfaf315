// Work of which only the latest is wanted: sliders ask for it faster than it can be done. What is under way may end as long as it is quick,
// so that something moves while a slider is dragged; what takes longer makes room.

const patience = 400; // milliseconds

export class Latest {
  private running: AbortController | null = null;
  private begun = 0;
  private wanted = false;
  private timer = 0;

  /** `work` ends early when its signal says so, and never throws. */
  constructor(private readonly work: (signal: AbortSignal) => Promise<void>) {}

  ask(): void {
    this.wanted = true;
    if (!this.running) return void this.next();
    if (this.timer) return;
    const left = Math.max(0, this.begun + patience - performance.now());
    this.timer = window.setTimeout(() => this.running?.abort(), left);
  }

  stop(): void {
    this.wanted = false;
    this.running?.abort();
  }

  private async next(): Promise<void> {
    while (this.wanted) {
      this.wanted = false;
      this.begun = performance.now();
      const running = (this.running = new AbortController());
      await this.work(running.signal);
      window.clearTimeout(this.timer);
      this.timer = 0;
    }
    this.running = null;
  }
}
