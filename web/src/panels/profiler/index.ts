// Where the time went, and what to do about it.

import './panel.css';
import type { RunPanel } from '../panel';
import { ProfilerView } from './view';

export const panel: RunPanel = {
  id: 'profiler',
  title: 'Profiler',
  subject: 'profile',
  missing: (run) =>
    run.has.metrics || run.has.timeline
      ? ''
      : 'This run has no system metrics and no timeline. Start it with --profile full to see where the time goes.',
  open: (context, into) => new ProfilerView(context, into),
};
