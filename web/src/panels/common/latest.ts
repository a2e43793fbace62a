// At most one request at a time.

import type { Answer, Refusal } from '../../api/client';

export class Latest {
  private controller: AbortController | null = null;
  private repeat: (() => void) | null = null;

  // Aborts the previous request; its answer is never shown.
  // ask: makes the request with that signal. then: called with the answer, or the refusal, unless
  // aborted.
  ask<T>(
    ask: (signal: AbortSignal) => Promise<Answer<T>>,
    then: (value: T) => void,
    failed: (error: Refusal) => void,
  ): void {
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

  // For data that may have changed: waits for the previous request, then asks again. Aborting it
  // each time would never show anything if changes arrive faster than answers.
  askAgain<T>(
    ask: (signal: AbortSignal) => Promise<Answer<T>>,
    then: (value: T) => void,
    failed: (error: Refusal) => void,
  ): void {
    if (this.waiting) {
      this.repeat = (): void => this.askAgain(ask, then, failed);
      return;
    }
    this.ask(ask, this.repeating(then), this.repeating(failed));
  }

  private repeating<T>(then: (value: T) => void): (value: T) => void {
    return (value) => {
      then(value);
      const { repeat } = this;
      this.repeat = null;
      repeat?.();
    };
  }

  get waiting(): boolean {
    return this.controller !== null;
  }

  giveUp(): void {
    this.controller?.abort();
    this.controller = null;
    this.repeat = null;
  }
}
