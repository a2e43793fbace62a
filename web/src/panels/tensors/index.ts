// Tensors: which there are, their series over steps, and their values.

import './panel.css';
import { below } from '../../api/client';
import type { RunPanel } from '../panel';
import { TensorsView } from './panel';

export const panel: RunPanel = {
  id: 'tensors',
  title: 'Tensors',
  subject: 'tensors',
  missing: (run) =>
    run.has.tensors
      ? ''
      : 'No tensors were saved yet. The hook saves the collections named in its configuration.',
  first: (run) => below(run, 'tensors'),
  open: (context, into) => new TensorsView(context, into),
};
