// Asks how the training counts: optimizer steps and epochs, where the run has them.

import type { Client } from '../../api/client';
import type { TensorList } from '../../api/types';
import { Latest } from './latest';
import { askSeries } from './series';
import { epochCount, optimizerCount } from './step_counts';
import type { Counts } from './x_scale';

const POINTS = 4000;
// The first that a run has counts: what was observed, else what the script saved itself.
const NAMES = {
  optimizer: ['training/optimizer_step'],
  epoch: ['training/epoch', 'scalar/epoch', 'epoch'],
};

export class CountSource {
  counts: Counts = { optimizer: null, epoch: null };
  answered = false; // Otherwise the run may have more.
  private names: { optimizer?: string | undefined; epoch?: string | undefined } = {};
  private readonly question = new Latest();

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly changed: () => void,
  ) {}

  setTensors({ tensors }: TensorList): void {
    const there = new Set(
      tensors.filter(({ statistics }) => statistics.includes('value')).map(({ name }) => name),
    );
    const first = (names: readonly string[]): string | undefined =>
      names.find((name) => there.has(name));
    this.names = { optimizer: first(NAMES.optimizer), epoch: first(NAMES.epoch) };
    this.ask();
  }

  // There may be more steps.
  ask(): void {
    const { optimizer, epoch } = this.names;
    const tensors = [optimizer, epoch].filter((name) => name !== undefined);
    this.answered ||= tensors.length === 0;
    if (tensors.length === 0) return;
    const wanted = tensors.map((tensor) => ({ tensor, statistic: 'value' }));
    const asked = { from: undefined, to: undefined, points: POINTS };
    this.question.askAgain(
      (signal) =>
        askSeries(
          this.client,
          { run: this.run, wanted, mode: 'GLOBAL', worker: '', asked, x: 'global' },
          signal,
        ),
      (answer) => {
        const count = (name: string | undefined, of: typeof epochCount): Counts['epoch'] => {
          const i = name === undefined ? -1 : tensors.indexOf(name);
          return i < 0 ? null : of(answer.column(`x${i}`), answer.column(`low${i}`));
        };
        this.counts = {
          optimizer: count(optimizer, optimizerCount),
          epoch: count(epoch, epochCount),
        };
        this.tell();
      },
      () => this.tell(), // Then there is no such axis.
    );
  }

  private tell(): void {
    this.answered = true;
    this.changed();
  }

  close(): void {
    this.question.giveUp();
  }
}
