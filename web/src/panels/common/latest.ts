// The newest question counts: asking again gives up the former one, and what it would have answered is never shown.

import type { Answer, Refusal } from '../../api/client';

export class Latest {
  private controller: AbortController | null = null;

  // ask: makes the request with that signal. then: called with the answer, or the refusal, unless it was given up.
  ask<T>(ask: (signal: AbortSignal) => Promise<Answer<T>>, then: (value: T) => void, failed: (error: Refusal) => void): void {
    this.giveUp();
    const controller = new AbortController();
    this.controller = controller;
    void ask(controller.signal).then((answer) => {
      if (controller.signal.aborted) return;
      this.controller = null;
      if (answer.ok) then(answer.value);
      else failed(answer.error);
    });
  }

  get waiting(): boolean {
    return this.controller !== null;
  }

  giveUp(): void {
    this.controller?.abort();
    this.controller = null;
  }
}

// Calls `act` soon after it was first told to, and then at most once in `pause` milliseconds: live events can be many.
export class Paced {
  private timer: number | undefined;
  private last = 0;

  constructor(
    private readonly act: () => void,
    private readonly pause = 1000,
  ) {}

  tell(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.last + this.pause - performance.now());
    this.timer = window.setTimeout(() => {
      this.timer = undefined;
      this.last = performance.now();
      this.act();
    }, wait);
  }

  stop(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
  }
}
