// All runs: search, sort, see problems at a glance, open one or compare several.

import './panel.css';
import type { RunList, RunSummary } from '../../api/types';
import { isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { writeRuns } from '../common/compare_address';
import { Latest } from '../common/latest';
import { loading, refused } from '../common/states';
import type { PanelContext, View } from '../panel';
import { COLUMNS, sorted } from './columns';
import { firstRun } from './first_run';
import { SeenRows } from './rows';
import { searchTest } from './search';
import { readSelection, writeSelection } from './selection';
import { RunsTable } from './table';
import { Toolbar } from './toolbar';

const AGES_MS = 10000; // How often relative times and the progress of running runs are updated.

class RunsView implements View {
  private list: RunList | null = null;
  private shown: RunSummary[] = [];
  private readonly selected: Set<string>; // IDs.
  private readonly question = new Latest();
  private readonly refresh = new Paced(() => this.load(), 1000);
  private readonly message = html('div');
  private readonly toolbar: Toolbar;
  private readonly table: RunsTable;
  private readonly rows: SeenRows<RunSummary>;
  private readonly clock = setInterval(() => this.age(), AGES_MS);
  private readonly pressed = (event: KeyboardEvent): void => this.key(event);

  constructor(
    private readonly context: PanelContext,
    private readonly into: HTMLElement,
  ) {
    this.selected = new Set(readSelection(context.params));
    this.toolbar = new Toolbar({
      search: (text) => this.set('search', text),
      removeTag: (tag) =>
        this.set(
          'tags',
          this.tags()
            .filter((one) => one !== tag)
            .join(','),
        ),
      showColumns: (ids) =>
        this.set('columns', ids.length === COLUMNS.length - 1 ? '' : ids.join(',') || 'none'),
      compare: () => this.compare(),
      clearSelection: () => this.clearSelection(),
      enterList: () => this.focusRow(0),
    });
    this.table = new RunsTable({
      sort: (sort) => this.set('sort', sort),
      filterTag: (tag) => this.set('tags', [...new Set([...this.tags(), tag])].join(',')),
      select: (run, on) => this.select(run, on),
      isSelected: (run) => this.selected.has(run.id),
    });
    this.rows = new SeenRows(this.table.body, {
      make: (run, index) => this.table.row(run, index),
      key: (run) => run.id,
    });
    into.replaceChildren(html('h1', { class: 'unseen' }, 'Runs'), loading('Loading runs …'));
    document.addEventListener('keydown', this.pressed);
    this.load();
  }

  live(event: { event: string }): void {
    if (['hello', 'runs', 'back'].includes(event.event)) this.refresh.tell();
  }

  navigate(): void {
    this.draw();
  }

  close(): void {
    document.removeEventListener('keydown', this.pressed);
    clearInterval(this.clock);
    this.refresh.stop();
    this.question.giveUp();
    this.rows.close();
  }

  private load(): void {
    this.question.askAgain(
      (signal) => this.context.client.get<RunList>('runs', { signal }),
      (list) => {
        const first = this.list === null;
        this.list = list;
        this.forgetRemoved(list);
        const heading = html('h1', { class: 'unseen' }, 'Runs');
        if (first)
          this.into.replaceChildren(
            heading,
            this.toolbar.element,
            this.message,
            this.table.element,
          );
        this.draw();
      },
      (error) => {
        if (!this.list && error.status !== 401)
          this.into.replaceChildren(refused(error, () => this.load()));
      },
    );
  }

  // Events report changes of the list, but not every step.
  private age(): void {
    if (!document.hidden && this.list?.runs.some(isRunning)) this.load();
    else this.draw();
  }

  private tags(): string[] {
    return (this.context.params.get('tags') ?? '').split(',').filter((tag) => tag !== '');
  }

  private columns(): string[] {
    const chosen = this.context.params.get('columns');
    return chosen ? chosen.split(',') : COLUMNS.filter(({ fixed }) => !fixed).map(({ id }) => id);
  }

  private set(name: string, value: string): void {
    const params = this.context.params;
    if (value === '') params.delete(name);
    else params.set(name, value);
    this.context.setParams(params);
    this.draw();
  }

  private draw(): void {
    if (!this.list) return;
    const params = this.context.params;
    const [search, sort, now] = [
      params.get('search') ?? '',
      params.get('sort') ?? 'age',
      Date.now() / 1000,
    ];
    this.shown = sorted(this.list.runs.filter(searchTest(search, this.tags())), sort, now);
    const columns = this.columns();
    this.table.show({ columns, sort, now, rows: this.shown.length });
    this.keepFocus(() => this.rows.set(this.shown));
    this.showState(search, columns);
  }

  private showState(search: string, columns: string[]): void {
    const runs = this.list?.runs ?? [];
    const { length: total } = runs;
    this.toolbar.show({
      search,
      tags: this.tags(),
      columns,
      shown: this.shown.length,
      total,
      selected: this.selected.size,
    });
    this.toolbar.element.hidden = total === 0;
    this.table.element.hidden = this.shown.length === 0;
    const notes = (this.list?.problems ?? []).map((problem) =>
      html('p', { class: 'notice warning' }, problem),
    );
    this.message.replaceChildren(...notes);
    if (total === 0) this.message.append(firstRun(this.list?.folders ?? []));
    else if (this.shown.length === 0) this.message.append(this.noMatch());
  }

  private noMatch(): HTMLElement {
    const all = html('button', { type: 'button', class: 'button' }, 'Show all runs');
    all.addEventListener('click', () => {
      const params = this.context.params;
      params.delete('search');
      params.delete('tags');
      this.context.setParams(params);
      this.draw();
      this.toolbar.search.focus();
    });
    return html(
      'div',
      { class: 'empty' },
      html('h2', {}, 'No runs match'),
      html(
        'p',
        {},
        'All search terms must match. Search by name, tag, folder, lr=0.1, epochs>5, status:failed or has:findings.',
      ),
      all,
    );
  }

  private select(run: RunSummary, on: boolean): void {
    if (on) this.selected.add(run.id);
    else this.selected.delete(run.id);
    this.keepSelection();
    this.showState(this.context.params.get('search') ?? '', this.columns());
  }

  private keepSelection(): void {
    const params = this.context.params;
    writeSelection(params, this.selected);
    this.context.setParams(params);
  }

  // Runs of a link, or of an earlier visit, that are not there any more.
  private forgetRemoved({ runs }: RunList): void {
    const there = new Set(runs.map(({ id }) => id));
    for (const id of this.selected) if (!there.has(id)) this.selected.delete(id);
  }

  private clearSelection(): void {
    this.selected.clear();
    this.keepSelection();
    this.draw();
    this.toolbar.search.focus();
  }

  // The first selected run is the one that the others are compared with.
  private compare(): void {
    const params = new URLSearchParams();
    writeRuns(params, [...this.selected]);
    if (this.selected.size >= 2) this.context.go(`#/compare?${params}`);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const typing = target instanceof HTMLInputElement && target.type !== 'checkbox';
    if (event.key === '/' && !typing) this.toolbar.search.focus();
    else if (
      (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
      !typing &&
      !target.closest('details')
    ) {
      this.focusRow(this.focused() + (event.key === 'ArrowDown' ? 1 : -1));
    } else return;
    event.preventDefault();
  }

  private focused(): number {
    const id = document.activeElement?.closest<HTMLElement>('tr[data-run]')?.dataset['run'];
    return id === undefined ? -1 : this.shown.findIndex((run) => run.id === id);
  }

  private focusRow(index: number): void {
    if (this.shown.length === 0) return;
    if (index < 0) {
      this.toolbar.search.focus();
      return;
    }
    const at = Math.min(index, this.shown.length - 1);
    this.rows.reveal(at, this.table.head.getBoundingClientRect().bottom);
    this.rows.row(at)?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
  }

  // Rows are rebuilt while the reader uses them.
  private keepFocus(change: () => void): void {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-run]');
    const part = document.activeElement instanceof HTMLInputElement ? 'input' : 'a';
    const index = row ? this.shown.findIndex((run) => run.id === row.dataset['run']) : -1;
    change();
    if (index >= 0)
      this.rows.row(index)?.querySelector<HTMLElement>(part)?.focus({ preventScroll: true });
  }
}

export function openRuns(context: PanelContext, into: HTMLElement): View {
  return new RunsView(context, into);
}
