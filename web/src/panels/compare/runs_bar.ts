// The compared runs, each with its letter and color. Runs can be added and removed, except the
// panel's own, and hidden in all charts.

import type { RunSummary } from '../../api/types';
import { html } from '../../base/dom';
import { refill } from '../../base/refill';
import { shownName } from '../common/run_names';
import { RunPicker } from './run_picker';
import { letter, type State } from './state';

interface Actions {
  choose: (runs: string[]) => void;
  hide: (runs: string[]) => void; // All that are hidden.
}

export class RunsBar {
  readonly element = html('div', { class: 'card compare-runs' });
  private readonly list = html('ul', { 'aria-label': 'Compared runs' });
  private readonly add: RunPicker;
  private readonly toggles = new Map<string, HTMLButtonElement>();
  private runs: readonly string[] = [];
  private hidden: readonly string[] = [];
  private shown = '';

  constructor(
    private readonly fixed: boolean, // The first run is the panel's own.
    private readonly actions: Actions,
  ) {
    this.add = new RunPicker((run) => actions.choose([...this.runs, run]));
    this.element.append(this.list, this.add.element);
  }

  show({ runs, hidden }: State, known: readonly RunSummary[]): void {
    this.runs = runs;
    this.hidden = hidden;
    const byId = new Map(known.map((run) => [run.id, run]));
    const named = runs.map((id) => ({ id, name: nameOf(id, byId.get(id)) }));
    // The focus may be on one of the buttons.
    const shown = JSON.stringify(named);
    if (shown !== this.shown) {
      this.shown = shown;
      this.toggles.clear();
      refill(this.list, ...named.map(({ id, name }, i) => this.item(id, name, i)));
    }
    for (const [id, toggle] of this.toggles)
      toggle.setAttribute('aria-pressed', String(!hidden.includes(id)));
    const others = known.filter(({ id }) => !runs.includes(id));
    this.add.show(others);
    this.element.hidden = runs.length === 0 && others.length === 0;
  }

  private item(id: string, name: string, i: number): HTMLElement {
    const words = `Show ${name} in charts`;
    const toggle = html(
      'button',
      {
        type: 'button',
        class: `compare-letter c${i % 8}`,
        'aria-label': words,
        title: words,
      },
      letter(i).toUpperCase(),
    );
    toggle.addEventListener('click', () =>
      this.actions.hide(
        this.hidden.includes(id) ? this.hidden.filter((one) => one !== id) : [...this.hidden, id],
      ),
    );
    this.toggles.set(id, toggle);
    const link = html('a', { href: `#/run/${encodeURIComponent(id)}/overview` }, name);
    const item = html('li', { class: 'compare-run' }, toggle, link);
    if (i === 0 && this.fixed) return item;
    const away = html(
      'button',
      { type: 'button', class: 'compare-away', 'aria-label': `Remove ${name}` },
      '×',
    );
    away.addEventListener('click', () =>
      this.actions.choose(this.runs.filter((one) => one !== id)),
    );
    item.append(away);
    return item;
  }
}

const nameOf = (id: string, run: RunSummary | undefined): string => (run ? shownName(run) : id);
