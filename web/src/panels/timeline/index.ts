// What ran when: every event of the profiler on the tracks of hosts, CPUs, GPUs, processes, threads
// and streams.

import './panel.css';
import './flame.css';
import type { RunPanel } from '../panel';
import { TimelineView } from './view';

export const panel: RunPanel = {
  id: 'timeline',
  title: 'Timeline',
  subject: 'timeline',
  missing: (run) =>
    run.has.timeline
      ? ''
      : 'No traces were recorded. Turn on framework profiling in the profiler configuration, or annotate steps and functions in the training script.',
  open: (context, into) => new TimelineView(context, into),
};
