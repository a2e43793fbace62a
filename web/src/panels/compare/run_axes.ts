// The x axis of all charts, as far as it is known of each run.

import type { Client } from '../../api/client';
import type { RunDetail, RunId, TensorList } from '../../api/types';
import { X_WORDS, type XAxis } from '../common/chart_look';
import { RunAxis } from '../common/run_axis';
import { StepTimes } from '../common/step_times';

interface Known {
  axis: RunAxis;
  times: StepTimes;
  list: TensorList | null; // From which it knows what the run counts.
}

const ALL = Object.keys(X_WORDS) as XAxis[];
const ALWAYS: readonly XAxis[] = ['step', 'time', 'relative'];

export class RunAxes {
  private readonly all = new Map<RunId, Known>();
  private x: XAxis = 'step';

  // changed: with `rescaled`, steps of the run are elsewhere now; otherwise only its marks are.
  constructor(
    private readonly client: Client,
    private readonly changed: (rescaled: boolean) => void,
  ) {}

  setRuns(runs: readonly RunId[]): void {
    for (const [id, known] of this.all) {
      if (runs.includes(id)) continue;
      close(known);
      this.all.delete(id);
    }
    for (const id of runs) if (!this.all.has(id)) this.all.set(id, this.make(id));
  }

  choose(x: XAxis): void {
    if (x === this.x) return;
    this.x = x;
    for (const { axis } of this.all.values()) axis.choose(x);
  }

  // What is known of the runs by now.
  learn(details: ReadonlyMap<RunId, RunDetail>, lists: ReadonlyMap<RunId, TensorList>): void {
    for (const [id, known] of this.all) {
      const [run, list] = [details.get(id), lists.get(id)];
      if (run) known.axis.setRun(run);
      if (!list || list === known.list) continue;
      known.list = list;
      known.times.grow();
      known.axis.setTensors(list);
    }
  }

  // There may be more steps.
  grow(): void {
    for (const { axis } of this.all.values()) axis.grow();
  }

  // The axes that a run has.
  get offered(): XAxis[] {
    const known = [...this.all.values()].flatMap(({ axis }) => axis.axes);
    return ALL.filter((x) => ALWAYS.includes(x) || known.includes(x));
  }

  // The one that is shown: steps if no run has what was chosen.
  get shown(): XAxis {
    const has = [...this.all.values()].some(({ axis }) => axis.scale.axis === this.x);
    return has ? this.x : 'step';
  }

  // Null: the run has no such axis, or that is not known yet.
  of(run: RunId): RunAxis | null {
    const axis = this.all.get(run)?.axis;
    return axis?.known && axis.scale.axis === this.shown ? axis : null;
  }

  // The runs that have no such axis.
  get without(): RunId[] {
    const { shown } = this;
    return [...this.all].flatMap(([id, { axis }]) =>
      axis.known && axis.scale.axis !== shown ? [id] : [],
    );
  }

  // Whether the chosen axis is known of all runs.
  get known(): boolean {
    return [...this.all.values()].every(({ axis }) => axis.known);
  }

  close(): void {
    for (const known of this.all.values()) close(known);
  }

  private make(id: RunId): Known {
    const times = new StepTimes(this.client, id, () => this.all.get(id)?.axis.mark());
    const axis = new RunAxis(this.client, id, times, null, this.x, this.changed);
    return { axis, times, list: null };
  }
}

function close({ axis, times }: Known): void {
  axis.close();
  times.close();
}
