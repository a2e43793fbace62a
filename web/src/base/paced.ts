// Calls `act` soon after the first tell(), then at most once per `pause` milliseconds: live events
// can be frequent.
export class Paced {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = -Infinity;

  constructor(
    private readonly act: () => void,
    public pause = 1000, // May be changed at any time.
  ) {}

  tell(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.last + this.pause - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.last = performance.now();
      this.act();
    }, wait);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
