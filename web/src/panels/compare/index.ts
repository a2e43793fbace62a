// Compare: two runs tensor by tensor, and the losses of several.

import './panel.css';
import type { RunPanel } from '../panel';
export { openCompare } from './panel';
import { CompareView } from './panel';

export const panel: RunPanel = {
  id: 'compare',
  title: 'Compare',
  subject: 'tensors to compare',
  missing: (run) => (run.has.tensors ? '' : 'This run has saved no tensors yet.'),
  open: (context, into) => new CompareView(context, into, context.run.id),
};
