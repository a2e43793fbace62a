// Layers: one statistic of the whole network over steps, to see where it goes wrong.

import './panel.css';
import { below } from '../../api/client';
import type { RunPanel } from '../panel';
import { LayersView } from './panel';

export const panel: RunPanel = {
  id: 'layers',
  title: 'Layers',
  subject: 'layers',
  missing: (run) =>
    run.has.tensors
      ? ''
      : 'No tensors were saved. Save gradients, weights or layer outputs to see all layers at once.',
  first: (run) => below(run, 'tensors'),
  open: (context, into) => new LayersView(context, into),
};
