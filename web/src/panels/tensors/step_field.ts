// Choice of a step: a slider over the saved steps, and a field for any number.

import type { Client } from '../../api/client';
import { html } from '../../base/dom';
import { button } from '../common/fields';
import { Latest } from '../common/latest';
import { askSeries } from '../common/series';
import { nearestStep } from './nearest_step';
import type { Desk } from './state';

export class StepField {
  readonly element: HTMLElement;
  private readonly slider = html('input', {
    type: 'range',
    min: 0,
    max: 0,
    value: 0,
    'aria-label': 'Step',
  });
  private readonly field = html('input', {
    type: 'number',
    min: 0,
    step: 1,
    inputmode: 'numeric',
    'aria-label': 'Step number',
  });
  private readonly newest = button('Latest', () => this.desk.change({ step: null }, true), {
    'aria-pressed': 'true',
  });
  private readonly latest = new Latest();
  private steps: ArrayLike<number> = [];
  private asked = '';
  private exact = false; // All steps are known, not only a sample.
  private told = false; // The steps have been loaded, or the request failed.

  // known: called when the steps of the tensor are loaded, or grow.
  constructor(
    private readonly client: Client,
    private readonly desk: Desk,
    private readonly known: () => void,
  ) {
    const move = (by: number): void => this.choose(this.index() + by);
    const back = button('‹', () => move(-1), {
      class: 'button icon',
      'aria-label': 'Previous step',
    });
    const on = button('›', () => move(1), { class: 'button icon', 'aria-label': 'Next step' });
    const label = html('span', { class: 'quiet' }, 'Step');
    this.element = html('div', { class: 'tensors-step', role: 'group', 'aria-label': 'Step' });
    this.element.append(label, back, this.slider, on, this.field, this.newest);
    this.slider.addEventListener('input', () => this.choose(Number(this.slider.value)));
    this.field.addEventListener('change', () => this.typed());
  }

  // The chosen step; null while unknown.
  step(): number | null {
    const { step } = this.desk.state();
    return step ?? this.steps[this.steps.length - 1] ?? null;
  }

  // Loaded, and there are none: this mode or worker did not save the tensor.
  get none(): boolean {
    return this.told && this.steps.length === 0;
  }

  show(tensor: string): void {
    const { mode, worker } = this.desk.state();
    const question = JSON.stringify([tensor, mode, worker]);
    if (question !== this.asked) {
      this.asked = question;
      this.steps = [];
      this.told = false;
      this.ask(tensor);
    }
    this.draw();
  }

  grown(tensor: string): void {
    if (!this.latest.waiting) this.ask(tensor);
  }

  close(): void {
    this.latest.giveUp();
  }

  // The points of a series are its saved steps; very long series are sampled.
  private ask(tensor: string): void {
    const { mode, worker } = this.desk.state();
    const statistic = this.desk.info(tensor)?.statistics[0] ?? 'mean';
    const asked = { from: undefined, to: undefined, points: 4000 };
    this.latest.ask(
      (signal) =>
        askSeries(
          this.client,
          { run: this.desk.run, wanted: [{ tensor, statistic }], mode, worker, asked },
          signal,
        ),
      (answer) => {
        this.exact = (answer.header.series[0]?.steps_per_point ?? 2) <= 1;
        this.came(answer.column('x0'), tensor);
      },
      () => this.came(this.steps, tensor),
    );
  }

  private came(found: ArrayLike<number>, tensor: string): void {
    // Tensors without series, such as text, still have a first and a last step.
    const info = this.desk.info(tensor);
    const ends =
      info && this.desk.state().mode === 'GLOBAL' ? [...new Set([info.first, info.last])] : [];
    const steps = found.length > 0 ? found : ends;
    const same =
      this.told &&
      this.steps.length === steps.length &&
      this.steps[steps.length - 1] === steps[steps.length - 1];
    this.told = true;
    this.steps = steps;
    this.draw();
    if (!same) this.known();
  }

  private index(step = this.step() ?? 0): number {
    return nearestStep(this.steps, step);
  }

  private draw(): void {
    const step = this.step();
    this.slider.max = String(Math.max(0, this.steps.length - 1));
    this.slider.value = String(this.index());
    this.slider.disabled = this.steps.length < 2;
    this.slider.setAttribute('aria-valuetext', step === null ? 'loading' : `step ${step}`);
    if (document.activeElement !== this.field) this.field.value = step === null ? '' : String(step);
    this.newest.setAttribute('aria-pressed', String(this.desk.state().step === null));
  }

  private choose(index: number): void {
    const step = this.steps[Math.max(0, Math.min(this.steps.length - 1, index))];
    if (step !== undefined) this.desk.change({ step });
  }

  private typed(): void {
    const step = Number(this.field.value);
    if (this.field.value === '' || !Number.isSafeInteger(step) || step < 0) return this.draw();
    const near = this.steps[this.index(step)] ?? step;
    // The saved step closest to the requested one.
    const chosen = this.exact ? near : step;
    if (chosen !== step) this.desk.announce(`Step ${step} was not saved; showing step ${chosen}`);
    this.field.value = String(chosen);
    this.desk.change({ step: chosen }, true);
  }
}
