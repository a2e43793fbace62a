// When steps were saved: links findings to system metrics.

import { type Client, below } from '../../api/client';
import type { Column } from '../../api/columns';
import { Latest } from './latest';

export class StepTimes {
  private steps: Column = new Float64Array();
  private times: Column = new Float64Array();
  private asked = false;
  private readonly question = new Latest();

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly changed: () => void,
  ) {}

  // Asks the server for an unknown step: once, until grow() says that there are more.
  want(step: number): void {
    // Also if later steps are known: the server reads them in any order.
    if (this.asked || this.question.waiting || this.at(step) !== null) return;
    this.asked = true;
    this.question.ask(
      (signal) => this.client.columns<object>(below(this.run, 'steps'), { signal }),
      (answer) => {
        this.steps = answer.column('step');
        this.times = answer.column('time');
        if (this.steps.length > 0) this.changed();
      },
      () => undefined, // Without the times only a link is missing.
    );
  }

  // When the step was saved; null: unknown, or not yet: `changed` is called when it is.
  of(step: number): number | null {
    const time = this.at(step);
    if (time === null) this.want(step);
    return time;
  }

  // When the first step was saved; null: unknown, as above.
  begin(): number | null {
    for (const time of this.times) if (Number.isFinite(time)) return time;
    this.want(-1);
    return null;
  }

  grow(): void {
    this.asked = false;
  }

  // Null: unknown.
  at(step: number): number | null {
    let [from, to] = [0, this.steps.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.steps[middle] ?? 0) < step) from = middle + 1;
      else to = middle;
    }
    const time = this.times[from];
    return this.steps[from] === step && time !== undefined && Number.isFinite(time) ? time : null;
  }

  close(): void {
    this.question.giveUp();
  }
}
