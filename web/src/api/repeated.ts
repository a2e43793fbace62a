// A question that is asked again and again: an answer that has not changed is neither sent nor parsed
// again, and its reader has nothing to draw.

import { addressOf, type Answer, type AskOptions, type Client } from './client';

export class Repeated<T> {
  private address = '';
  private tag = '';

  constructor(
    private readonly client: Client,
    private readonly path: string,
  ) {}

  // The last answer is not kept by its reader: it comes again.
  forget(): void {
    this.tag = '';
  }

  // Null: the answer is that of the last question, which had the same query.
  async ask(options: AskOptions = {}): Promise<Answer<T | null>> {
    const address = addressOf(this.path, options.query);
    const known = address === this.address ? this.tag : '';
    const answer = await this.client.getChanged<T>(this.path, known, options);
    if (!answer.ok) return answer;
    if (answer.value === null) return { ok: true, value: null };
    // Of an answer that nobody takes nothing is known later.
    if (!options.signal?.aborted) [this.address, this.tag] = [address, answer.value.tag];
    return { ok: true, value: answer.value.value };
  }
}
