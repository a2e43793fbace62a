// System metrics: what the machines were doing.

import './panel.css';
import type { RunPanel } from '../panel';
import { SystemView } from './view';

export const panel: RunPanel = {
  id: 'system',
  title: 'System',
  subject: 'system metrics',
  missing: (run) =>
    run.has.metrics
      ? ''
      : 'This run recorded no system metrics. They are missing if it ran with --profile off or without “warden run”.',
  open: (context, into) => new SystemView(context, into),
};
