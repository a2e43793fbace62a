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
