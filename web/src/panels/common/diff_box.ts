// Changes of source code, folded: a line that says how many, and the diff.

import './common.css';

import { html } from '../../base/dom';
import type { Changes } from './recorded';

export const diffBox = ({ words, diff }: Changes): HTMLDetailsElement =>
  html(
    'details',
    { class: 'common-diff' },
    html('summary', {}, words),
    html(
      'pre',
      { class: 'mono', tabindex: 0, role: 'group', 'aria-label': 'Uncommitted changes' },
      diff,
    ),
  );
