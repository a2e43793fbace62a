// System metrics: what the machines were doing.

import './panel.css';
import type { RunPanel } from '../panel';
import { SystemView } from './view';

export const panel: RunPanel = {
  id: 'system',
  title: 'System',
  missing: (run) =>
    run.has.metrics ? '' : 'No system metrics were recorded for this run: it was started with --profile off, or elsewhere.',
  open: (context, into) => new SystemView(context, into),
};
