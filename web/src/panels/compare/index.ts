// Compare: two runs tensor by tensor, and the losses of more.

import './panel.css';
import type { RunPanel } from '../panel';
export { openCompare } from './panel';
import { CompareView } from './panel';

export const panel: RunPanel = {
  id: 'compare',
  title: 'Compare',
  missing: (run) => (run.has.tensors ? '' : 'No tensors were saved yet: there is nothing to compare.'),
  open: (context, into) => new CompareView(context, into, context.run.id),
};
