// What the controls of a run can use.

import type { RunDetail } from '../../api/types';
import type { PanelContext } from '../panel';

export interface ControlContext extends PanelContext {
  readonly run: RunDetail;
  reload: () => void; // Reloads everything that is shown.
  setPaused: (paused: boolean) => void;
}
