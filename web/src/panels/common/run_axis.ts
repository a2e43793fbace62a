// The x axis of one run: where its steps are, and where its findings are marked. Both may change when
// more is known of the run: how the training counts, and when its steps were saved.

import type { Client } from '../../api/client';
import type { RuleView, RunDetail, TensorList } from '../../api/types';
import type { PlotMark } from '../../plots/plot_marks';
import type { XAxis } from './chart_look';
import { findingMarks } from './chart_marks';
import { CountSource } from './count_source';
import type { StepTimes } from './step_times';
import { axesOf, scaleOf, type XScale } from './x_scale';

export class RunAxis {
  scale: XScale;
  marks: readonly PlotMark[] = [];
  private readonly counts: CountSource;
  private start = 0; // Relative times count from here.
  private rules: readonly RuleView[] | null = null; // Those whose findings are marked.

  // run: null: not known yet. changed: called when marks are elsewhere or, with `rescaled`, all steps.
  constructor(
    client: Client,
    id: string,
    private readonly times: StepTimes,
    private run: RunDetail | null,
    private x: XAxis,
    private readonly changed: (rescaled: boolean) => void,
  ) {
    this.counts = new CountSource(client, id, () => this.recount());
    this.place();
    this.scale = this.newScale();
  }

  // The axes that the run has.
  get axes(): XAxis[] {
    return axesOf(this.counts.counts);
  }

  // Whether it is known where x begins, and whether the run has such an axis.
  get known(): boolean {
    if (this.x === 'relative') return this.run !== null;
    return this.scale.axis === this.x || this.counts.answered;
  }

  // Tells nobody: who chooses draws everything again.
  choose(x: XAxis): void {
    this.x = x;
    this.place();
    this.scale = this.newScale();
    this.marks = this.newMarks();
  }

  setRun(run: RunDetail): void {
    this.run = run;
    if (run.rules_seen === this.rules) return;
    this.rules = run.rules_seen;
    this.mark();
  }

  setTensors(list: TensorList): void {
    this.counts.setTensors(list);
  }

  // There may be more steps.
  grow(): void {
    if (this.isCounted) this.counts.ask();
  }

  // The times of steps are known: findings on an axis of times wait for them.
  mark(): void {
    const moved = this.place();
    if (moved) this.scale = this.newScale();
    const marks = this.newMarks();
    const same = JSON.stringify(marks) === JSON.stringify(this.marks);
    this.marks = marks;
    if (moved || !same) this.changed(moved);
  }

  close(): void {
    this.counts.close();
  }

  // How the training counts is known, or known of more steps.
  private recount(): void {
    this.scale = this.newScale();
    this.marks = this.newMarks();
    this.changed(this.isCounted);
  }

  private get isCounted(): boolean {
    return this.x === 'optimizer' || this.x === 'epoch';
  }

  // Whether relative times begin elsewhere now. Of a run that was copied, the first step may be older
  // than what is known of its start.
  private place(): boolean {
    if (this.x !== 'relative') return false;
    const { started, created } = this.run ?? {};
    const first = this.times.begin();
    const before = this.start;
    this.start = first === null ? (started ?? created ?? 0) : Math.min(started ?? first, first);
    return this.start !== before;
  }

  private newScale(): XScale {
    return scaleOf(this.x, this.counts.counts, this.start);
  }

  private newMarks(): PlotMark[] {
    if (!this.run) return [];
    const { scale } = this;
    return findingMarks(this.run, (step, time) => {
      const at = scale.ask === 'global' ? step : (time ?? this.times.of(step));
      return at === null ? null : scale.at(at);
    });
  }
}
