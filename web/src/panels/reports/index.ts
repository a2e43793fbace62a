// Reports: the pages that rules and `warden report` have written.

import './panel.css';
import type { RunPanel } from '../panel';
import { ReportsView } from './view';

export const panel: RunPanel = {
  id: 'reports',
  title: 'Reports',
  subject: 'reports',
  missing: () => '', // Without reports the panel says how to write one.
  open: (context, into) => new ReportsView(context, into),
};
