// Tensors: which there are, how they went over the steps, and what is in them.

import './panel.css';
import { below } from '../../api/client';
import type { RunPanel } from '../panel';
import { TensorsView } from './panel';

export const panel: RunPanel = {
  id: 'tensors',
  title: 'Tensors',
  missing: (run) =>
    run.has.tensors
      ? ''
      : 'No tensors were saved yet. A hook in the training script saves those of the collections that its configuration names.',
  first: (run) => below(run, 'tensors'),
  open: (context, into) => new TensorsView(context, into),
};
