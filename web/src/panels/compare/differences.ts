// Compares two runs tensor by tensor: requests, filters, table.

import type { Client } from '../../api/client';
import type { Comparison, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { refill } from '../../base/refill';
import { Choice } from '../common/fields';
import { Latest } from '../common/latest';
import { loading, refused } from '../common/states';
import { searchFor } from '../common/tree';
import { type Difference, firstApart, sorted, unread } from './difference_order';
import { DifferenceTable } from './difference_table';
import { Sparks } from './sparks';
import { letter, type State } from './state';

const EVERYTHING = '';
const READING_MS = 700; // Between questions while the server still reads a run.

export class Differences {
  readonly element: HTMLElement;
  private readonly against: Choice;
  private readonly collection: Choice;
  private readonly search = html('input', {
    type: 'search',
    placeholder: 'Text or regular expression',
    spellcheck: 'false',
  });
  private readonly all = html('input', { type: 'checkbox' });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly first = html('p', { class: 'compare-first', hidden: '' });
  private readonly place = html('div');
  private readonly only = html('div', { class: 'compare-only' });
  private readonly table: DifferenceTable;
  private readonly latest = new Latest();
  private readonly reading = new Paced(() => this.grown(), READING_MS);
  private answer: Comparison | null = null;
  private sparks: Sparks | null = null;
  private state: State | null = null;
  private runs: readonly { id: string; name: string }[] = [];
  private chosen = '';
  private question = '';

  constructor(
    private readonly client: Client,
    private readonly change: (change: Partial<State>, step?: boolean) => void,
  ) {
    this.against = new Choice('Compare A with', (value) => change({ against: Number(value) }));
    this.collection = new Choice('Collection', (collection) => change({ collection }));
    this.search.addEventListener('input', () => change({ search: this.search.value }, false));
    this.all.addEventListener('change', () => change({ all: this.all.checked }));
    this.table = new DifferenceTable({
      sort: (key) => this.sort(key),
      open: (tensor) => this.open(tensor),
    });
    const name = html('label', { class: 'field' }, 'Find tensors', this.search);
    const all = html('label', { class: 'check' }, this.all, 'Show identical tensors too');
    this.element = html(
      'div',
      {},
      html(
        'div',
        { class: 'common-bar' },
        this.against.element,
        this.collection.element,
        name,
        all,
      ),
      this.first,
      this.note,
      this.place,
      this.only,
    );
  }

  show(
    state: State,
    runs: readonly { id: string; name: string }[],
    chosen: string,
    list: TensorList | null,
  ): void {
    this.state = state;
    this.runs = runs;
    this.chosen = chosen;
    this.against.set(
      runs.slice(1).map(({ name }, i) => ({
        value: String(i + 1),
        label: `${letter(i + 1).toUpperCase()}  ${name}`,
      })),
      String(state.against),
    );
    this.against.show(runs.length > 2);
    this.collection.set(
      [
        { value: EVERYTHING, label: 'all collections' },
        ...(list?.collections ?? []).map((value) => ({ value, label: value })),
      ],
      state.collection,
    );
    if (this.search !== document.activeElement) this.search.value = state.search;
    this.all.checked = state.all;
    const question = JSON.stringify([
      runs[0]?.id,
      runs[state.against]?.id,
      state.statistic,
      state.mode,
      state.collection,
    ]);
    if (question !== this.question) {
      this.question = question;
      this.ask(true);
    } else {
      this.draw();
    }
  }

  grown(): void {
    if (!this.latest.waiting) this.ask(false);
  }

  close(): void {
    this.reading.stop();
    this.latest.giveUp();
    this.sparks?.close();
    this.table.close();
  }

  private ask(fresh: boolean): void {
    const { state } = this;
    const [a, b] = [this.runs[0]?.id, this.runs[state?.against ?? 1]?.id];
    if (!state || a === undefined || b === undefined) return;
    if (fresh) {
      this.answer = null;
      this.place.replaceChildren(loading('Comparing …'));
      this.only.replaceChildren();
      this.note.textContent = '';
      this.first.hidden = true;
    }
    const query = {
      a,
      b,
      statistic: state.statistic,
      mode: state.mode,
      collection: state.collection,
    };
    this.latest.ask(
      (signal) => this.client.get<Comparison>('compare', { query, signal }),
      (answer) => {
        this.answer = answer;
        this.sparks?.close();
        this.sparks = new Sparks(this.client, [a, b], state.mode, () => this.table.refresh());
        this.draw();
        if (unread(answer) !== '') this.reading.tell();
      },
      (error) => {
        if (fresh) this.place.replaceChildren(refused(error, () => this.ask(true)));
      },
    );
  }

  private draw(): void {
    const { answer, state } = this;
    if (!answer || !state) return;
    const search = searchFor(state.search);
    const all: Difference[] = answer.tensors;
    const differs = ({ first_step }: Difference): boolean => first_step !== null;
    const rows = all.filter(
      (row) => (state.all || differs(row)) && (!search || search.test(row.tensor)),
    );
    const count = all.filter(differs).length;
    const words = `${count.toLocaleString('en')} of ${all.length.toLocaleString('en')} tensors differ at a step that both runs saved.`;
    const shown =
      rows.length < (state.all ? all.length : count)
        ? ` Showing ${rows.length.toLocaleString('en')}.`
        : '';
    const steps =
      state.mode === 'GLOBAL' ? '' : ` Steps are those of ${state.mode}; charts count all modes.`;
    this.note.textContent = `${unread(answer)}${words}${shown} Differences are relative to the larger of the two values.${steps}${search?.problem ? ` ${search.problem}.` : ''}`;
    if (!this.place.contains(this.table.element)) this.place.replaceChildren(this.table.element);
    const first = firstApart(all);
    this.showFirst(first);
    this.table.show(sorted(rows, state), state, this.chosen, first?.row.tensor ?? '', this.sparks);
    this.only.replaceChildren(
      ...onlyIn(answer.only_a, this.runs[0]?.name ?? 'A'),
      ...onlyIn(answer.only_b, this.runs[state.against]?.name ?? 'B'),
    );
  }

  // Where to look first: everything later may follow from it.
  private showFirst(first: ReturnType<typeof firstApart>): void {
    this.first.hidden = first === null;
    if (!first) return;
    const { row, together } = first;
    const open = html('button', { type: 'button', class: 'compare-name' }, row.tensor);
    open.addEventListener('click', () => this.open(row.tensor));
    const step = `step ${(row.first_step ?? 0).toLocaleString('en')}`;
    const more =
      together > 1
        ? ` ${together - 1} more ${together === 2 ? 'differs' : 'differ'} from that step on; this one is the first in the order of the model.`
        : '';
    refill(this.first, html('strong', {}, 'First to differ: '), open, ` at ${step}.${more}`);
  }

  private sort(key: State['sort']): void {
    const again = this.state?.sort === key;
    // Steps sort from the earliest, everything else from the largest.
    this.change({ sort: key, down: again ? !this.state?.down : key !== 'first_step' }, false);
  }

  private open(tensor: string): void {
    this.change({ tensor, range: null });
    document.querySelector('.compare-plot')?.scrollIntoView({
      block: 'nearest',
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    });
  }
}

function onlyIn(tensors: readonly string[], run: string): HTMLElement[] {
  if (tensors.length === 0) return [];
  const words = `${tensors.length.toLocaleString('en')} ${tensors.length === 1 ? 'tensor is' : 'tensors are'} only in ${run}`;
  const more =
    tensors.length > 200
      ? [html('li', { class: 'quiet' }, `and ${(tensors.length - 200).toLocaleString('en')} more`)]
      : [];
  const list = html(
    'ul',
    {},
    ...tensors.slice(0, 200).map((name) => html('li', {}, name)),
    ...more,
  );
  return [html('details', {}, html('summary', {}, words), list)];
}
