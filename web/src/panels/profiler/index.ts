// Where the time went, and what to do about it.

import './panel.css';
import type { RunPanel } from '../panel';
import { ProfilerView } from './view';

export const panel: RunPanel = {
  id: 'profiler',
  title: 'Profiler',
  missing: (run) =>
    run.has.metrics || run.has.timeline
      ? ''
      : 'Nothing was profiled in this run: it has neither system metrics nor a timeline. Start it with profiling to see where its time goes.',
  open: (context, into) => new ProfilerView(context, into),
};
