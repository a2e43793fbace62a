// Layers: one statistic of the whole network over the steps, so that one sees where it goes wrong.

import './panel.css';
import { below } from '../../api/client';
import type { RunPanel } from '../panel';
import { LayersView } from './panel';

export const panel: RunPanel = {
  id: 'layers',
  title: 'Layers',
  missing: (run) =>
    run.has.tensors ? '' : 'No tensors were saved yet. Save the gradients, weights or outputs of the model to see all its layers at once.',
  first: (run) => below(run, 'tensors'),
  open: (context, into) => new LayersView(context, into),
};
