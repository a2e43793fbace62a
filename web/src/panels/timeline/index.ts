// What ran when: every event of the profiler on the tracks of hosts, CPUs, GPUs, processes, threads and streams.

import './panel.css';
import type { RunPanel } from '../panel';
import { TimelineView } from './view';

export const panel: RunPanel = {
  id: 'timeline',
  title: 'Timeline',
  missing: (run) =>
    run.has.timeline
      ? ''
      : 'No traces were recorded. Framework profiling writes them: give the run a profiler configuration with framework metrics, or annotate steps and functions in the training script.',
  open: (context, into) => new TimelineView(context, into),
};
