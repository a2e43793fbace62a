// The compared runs, each with its letter and color. Runs can be added and removed, except the
// panel's own.

import type { RunSummary } from '../../api/types';
import { html } from '../../base/dom';
import { shownName } from '../common/run_names';
import { RunPicker } from './run_picker';
import { letter, type State } from './state';

export class RunsBar {
  readonly element = html('div', { class: 'card compare-runs' });
  private readonly list = html('ul', { 'aria-label': 'Compared runs' });
  private readonly add: RunPicker;

  constructor(
    private readonly fixed: boolean, // The first run is the panel's own.
    private readonly change: (runs: string[]) => void,
  ) {
    this.add = new RunPicker((run) => change([...this.runs, run]));
    this.element.append(this.list, this.add.element);
  }

  private runs: readonly string[] = [];

  show({ runs }: State, known: readonly RunSummary[]): void {
    this.runs = runs;
    const byId = new Map(known.map((run) => [run.id, run]));
    this.list.replaceChildren(...runs.map((id, i) => this.item(id, byId.get(id), i)));
    const others = known.filter(({ id }) => !runs.includes(id));
    this.add.show(others);
    this.element.hidden = runs.length === 0 && others.length === 0;
  }

  private item(id: string, run: RunSummary | undefined, i: number): HTMLElement {
    const name = run ? shownName(run) : id;
    const link = html('a', { href: `#/run/${encodeURIComponent(id)}/overview` }, name);
    const item = html(
      'li',
      { class: 'compare-run' },
      html(
        'span',
        { class: `compare-letter c${i % 8}`, 'aria-hidden': 'true' },
        letter(i).toUpperCase(),
      ),
      link,
    );
    if (i === 0 && this.fixed) return item;
    const away = html(
      'button',
      { type: 'button', class: 'compare-away', 'aria-label': `Remove ${name}` },
      '×',
    );
    away.addEventListener('click', () => this.change(this.runs.filter((one) => one !== id)));
    item.append(away);
    return item;
  }
}
