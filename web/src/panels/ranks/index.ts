// Ranks: which worker is slower than the others or behaves differently, and what each waits for.

import './panel.css';
import { below } from '../../api/client';
import type { RunPanel } from '../panel';
import { RanksView } from './panel';

export const panel: RunPanel = {
  id: 'ranks',
  title: 'Ranks',
  subject: 'ranks',
  hidden: (run) => run.workers < 2,
  missing: (run) =>
    run.workers < 2 ? 'Only one worker saved data. Save all of them with --workers all.' : '',
  first: (run) => below(run, 'ranks'),
  open: (context, into) => new RanksView(context, into),
};
