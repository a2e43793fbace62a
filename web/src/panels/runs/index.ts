// All runs: filter, sort, group, see problems at a glance, open one or compare several.

import './panel.css';
import type { Refusal } from '../../api/client';
import { Repeated } from '../../api/repeated';
import type { RunList, RunSummary, RunTable } from '../../api/types';
import { isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { controlsIn } from '../../base/refill';
import { writeRuns } from '../common/compare_address';
import { Latest } from '../common/latest';
import { spreadOf } from '../common/spread';
import { loading, refused } from '../common/states';
import type { PanelContext, View } from '../panel';
import { moved, movedBy, readColumns, writeColumns } from './column_choice';
import { type Column, columnOf, orderOf, sorted, sortedBy } from './columns';
import { referencesOf } from './best_step';
import { type Catalogue, catalogueOf, fieldOf, type ListedRun, listedRun } from './fields';
import { bestNames, type Filter, piecesOf, quoted, readFilter } from './filter';
import { firstQuery, showsNewest } from './first_rows';
import { firstRun } from './first_run';
import { ListFeed } from './list_feed';
import { openMarksDialog } from './marks_dialog';
import { type Group, groupsOf } from './groups';
import { closeAll, readOpen, writeOpen } from './open_groups';
import { type PlotChoice, readPlot, writePlot } from './plot_choice';
import { PlotsCard } from './plots_card';
import { SeenRows } from './rows';
import { readSelection, writeSelection } from './selection';
import { rowKey, rowKeyOf, RunsTable, type TableRow } from './table';
import { Toolbar } from './toolbar';
import { Trash } from './trash';

const AGES_MS = 10000; // How often relative times and the progress of running runs are updated.
// Until the list and the columns are asked for again while runs are being read. Those of thousands
// of runs are megabytes: less and less often.
const PENDING_MS = { first: 1000, most: 8000 };

const heading = (): HTMLElement => html('h1', { class: 'unseen' }, 'Runs');

// Asks again while an answer is not whole.
class Again {
  private wait = PENDING_MS.first;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: () => void) {}

  while(pending: boolean): void {
    this.stop();
    if (pending) this.timer = setTimeout(this.ask, this.wait);
    this.wait = pending ? Math.min(2 * this.wait, PENDING_MS.most) : PENDING_MS.first;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

class RunsView implements View {
  private list: RunList | null = null;
  private columns: RunTable['runs'] = {};
  private pending = true; // Not all columns are known yet.
  private asked = ''; // References of best steps.
  private runs: ListedRun[] = [];
  private catalogue: Catalogue | null = null;
  private filter: Filter = readFilter('');
  private shown: ListedRun[] = [];
  private groups: Group[] | null = null; // Null: not grouped.
  private items: TableRow[] = [];
  private readonly selected: Set<string>; // IDs.
  private readonly feed: ListFeed;
  private readonly numbers: Repeated<RunTable>;
  private readonly columnsQuestion = new Latest();
  private readonly message = html('div');
  // For screen readers: which run of a plot the keyboard points at.
  private readonly said = html('div', { class: 'unseen', 'aria-live': 'polite' });
  private readonly toolbar: Toolbar;
  private readonly trash: Trash;
  private readonly plots: PlotsCard;
  private readonly table: RunsTable;
  private readonly rows: SeenRows<TableRow>;
  private readonly clock = setInterval(() => this.age(), AGES_MS);
  private readonly listAgain = new Again(() => this.load());
  private readonly columnsAgain = new Again(() => this.loadColumns());
  private readonly pressed = (event: KeyboardEvent): void => this.key(event);

  constructor(
    private readonly context: PanelContext,
    private readonly into: HTMLElement,
    opened: () => void,
  ) {
    this.feed = new ListFeed(context.client, () => firstQuery(context.params), {
      came: (list) => this.take(list),
      unchanged: () => this.follow(),
      failed: (error) => this.refused(error),
      opened,
    });
    this.numbers = new Repeated(context.client, 'runs-table');
    this.selected = new Set(readSelection(context.params));
    this.toolbar = new Toolbar({
      filter: (text) => this.set('search', text),
      groupBy: (by) => this.set('group', by),
      showColumns: (ids) => this.showColumns(ids),
      compare: () => this.compare(),
      clearSelection: () => this.clearSelection(),
      edit: () =>
        this.edit(this.runs.filter(({ id, pending }) => this.selected.has(id) && !pending)),
      enterList: () => this.focusRow(0),
      announce: (words) => context.announce(words),
      plot: (kind) => this.choosePlot({ ...readPlot(this.context.params), kind }),
    });
    this.trash = new Trash(context.client, {
      restored: (words) => {
        context.announce(words);
        this.load();
      },
      left: () => this.into.focus({ preventScroll: true }), // The main element.
    });
    this.plots = new PlotsCard({
      choose: (choice) => this.choosePlot(choice),
      filter: (text) => this.set('search', text),
      open: ({ id }) => context.go(`#/run/${encodeURIComponent(id)}/overview`),
      announce: (words) => this.said.replaceChildren(html('p', {}, words)),
    });
    this.table = new RunsTable(
      {
        sort: (sort) => this.set('sort', sort),
        move: (id, to) => this.showColumns(moved(this.ids(), id, this.ids().indexOf(to))),
        moveBy: (id, by) => this.moveColumn(id, by),
        filterTag: (tag) => this.filterTag(tag),
        editor: () => (this.writable() ? (run): void => this.edit([run]) : null),
        select: (runs, on) => this.select(runs, on),
        isSelected: (run) => this.selected.has(run.id),
        openGroup: (group, open) => this.openGroup(group, open),
      },
      (on) => this.selectAll(on),
    );
    this.rows = new SeenRows(this.table.body, {
      make: (item, index) => this.table.row(item, index),
      key: rowKey,
    });
    into.replaceChildren(heading(), loading('Loading runs …'));
    document.addEventListener('keydown', this.pressed);
    this.load();
  }

  live(event: { event: string }): void {
    if (['hello', 'runs', 'back'].includes(event.event)) this.feed.tell();
  }

  sessionCame(): void {
    if (!this.list) return;
    this.loadTrash();
    this.draw();
  }

  navigate(): void {
    this.draw();
  }

  close(): void {
    document.removeEventListener('keydown', this.pressed);
    clearInterval(this.clock);
    this.listAgain.stop();
    this.columnsAgain.stop();
    this.feed.close();
    this.columnsQuestion.giveUp();
    this.rows.close();
    this.table.close();
    this.plots.close();
    this.trash.close();
    this.toolbar.close();
  }

  private load(): void {
    this.feed.load();
  }

  private refused(error: Refusal): void {
    this.list = null;
    if (error.status !== 401)
      this.into.replaceChildren(
        heading(),
        refused(error, () => this.load()),
      );
  }

  private take(list: RunList): void {
    const first = this.list === null;
    this.list = list;
    if (first)
      this.into.replaceChildren(
        heading(),
        this.toolbar.element,
        this.said,
        this.trash.notice,
        this.message,
        this.plots.element,
        this.table.element,
        this.trash.element,
      );
    if (this.whole()) this.forgetRemoved(list);
    this.combine();
    if (!this.whole()) return;
    this.follow();
    this.loadTrash();
  }

  // What comes after a whole list.
  private follow(): void {
    this.listAgain.while((this.list?.pending ?? 0) > 0);
    this.loadColumns();
  }

  private loadTrash(): void {
    if (this.whole() && this.writable()) this.trash.load();
  }

  // Otherwise the list has its newest runs only, and all are on their way.
  private whole(): boolean {
    return this.list?.more !== true;
  }

  // After the list, which does not wait for them.
  private loadColumns(): void {
    const at = this.references();
    this.asked = at.join();
    this.columnsQuestion.askAgain(
      (signal) => this.numbers.ask({ ...(at.length > 0 ? { query: { at } } : {}), signal }),
      (table) => {
        if (table) this.takeColumns(table);
        else this.columnsAgain.while(this.pending);
      },
      () => undefined, // The list is of use without them; the next event asks again.
    );
  }

  private takeColumns({ runs, pending }: RunTable): void {
    this.columns = runs;
    this.pending = pending > 0;
    this.columnsAgain.while(this.pending);
    this.combine();
  }

  // Of what is shown, sorted, filtered or plotted at the best step of another metric.
  private references(): string[] {
    const { params } = this.context;
    const { x, y, color } = readPlot(params);
    const sort = (params.get('sort') ?? '').replace(/^-/, '');
    const names = [...this.ids(), sort, x, y, color].flatMap((id) => {
      const field = fieldOf(id);
      return field?.kind === 'at' ? [field.name] : [];
    });
    return referencesOf([...names, ...bestNames(this.text())], this.catalogue?.scalars ?? []);
  }

  private combine(): void {
    this.runs = (this.list?.runs ?? []).map((run) =>
      listedRun(run, Object.hasOwn(this.columns, run.id) ? this.columns[run.id] : undefined),
    );
    this.catalogue = catalogueOf(this.runs);
    this.draw();
  }

  // Events report changes of the list, but not every step.
  private age(): void {
    if (!document.hidden && this.list?.runs.some(isRunning)) this.load();
    this.draw();
  }

  private ids(): string[] {
    return readColumns(this.context.params);
  }

  private showColumns(ids: readonly string[]): void {
    const params = this.context.params;
    writeColumns(params, ids);
    this.context.setParams(params);
    this.draw();
  }

  private choosePlot(choice: PlotChoice): void {
    const params = this.context.params;
    writePlot(params, choice);
    this.context.setParams(params);
    this.draw();
  }

  private showPlots(): void {
    const choice = readPlot(this.context.params);
    const { archived } = this.filter;
    const all = this.runs.filter((run) => archived || !run.marks.archived);
    const chosen = all.filter(({ id }) => this.selected.has(id));
    if (this.catalogue)
      this.plots.show({
        choice,
        columns: this.ids(),
        catalogue: this.catalogue,
        runs: chosen.length > 1 ? chosen : all,
        shown: this.shown,
        filter: this.text(),
        selected: chosen.length,
      });
  }

  private moveColumn(id: string, by: number): void {
    const ids = movedBy(this.ids(), id, by);
    const title = columnOf(id)?.title ?? id;
    this.showColumns(ids);
    this.context.announce(`${title} is column ${ids.indexOf(id) + 1} of ${ids.length}.`);
  }

  // Links of earlier versions have tags of their own.
  private text(): string {
    const { params } = this.context;
    const tags = (params.get('tags') ?? '').split(',').filter((tag) => tag !== '');
    return [params.get('search') ?? '', ...tags.map(tagPiece)].join(' ').trimStart();
  }

  private set(name: 'search' | 'sort' | 'group', value: string): void {
    const params = this.context.params;
    if (name === 'search') params.delete('tags');
    if (name === 'group') closeAll(params);
    if (value === '') params.delete(name);
    else params.set(name, value);
    this.context.setParams(params);
    this.draw();
  }

  private filterTag(tag: string): void {
    const pieces = piecesOf(this.text());
    if (!pieces.includes(tagPiece(tag))) this.set('search', [...pieces, tagPiece(tag)].join(' '));
  }

  private draw(): void {
    if (!this.list) return;
    const params = this.context.params;
    const [sort, group, now] = [
      params.get('sort') ?? 'age',
      params.get('group') ?? '',
      Date.now() / 1000,
    ];
    this.filter = readFilter(this.text(), this.pending ? null : this.catalogue);
    const { test, archived } = this.filter;
    // What is not there yet may match, or come first.
    const known = this.whole() || showsNewest(params) ? this.runs : [];
    const runs = known.filter((run) => (archived || !run.marks.archived) && test(run));
    this.shown = sorted(runs, sort, now);
    this.groups = group === '' ? null : this.sortGroups(groupsOf(this.shown, group), sort, now);
    this.items = this.rowsOf();
    const ids = this.ids();
    const columns = ['name', ...ids].map((id) => columnOf(id, this.catalogue));
    this.table.show({
      columns: columns.filter((column): column is Column => column !== null),
      sort,
      now,
      rows: this.items.length,
      chosen: params.has('columns'),
    });
    this.keepFocus(() => this.rows.set(this.items));
    this.showState();
    if (this.whole() && this.references().join() !== this.asked) this.loadColumns();
  }

  // By the mean of what the runs are sorted by, where that has one.
  private sortGroups(groups: Group[], sort: string, now: number): Group[] {
    const { column, sign } = orderOf(sort);
    const { order } = columnOf(column.id, this.catalogue) ?? column;
    if (!order || !columnOf(column.id, this.catalogue)?.write) return groups;
    const mean = ({ runs }: Group): number | null => {
      const values = runs.map((run) => order(run, now));
      return (
        spreadOf(values.map((value) => (typeof value === 'number' ? value : null)))?.mean ?? null
      );
    };
    return sortedBy(groups, mean, sign);
  }

  private rowsOf(): TableRow[] {
    if (!this.groups) return this.shown.map((run) => ({ run, group: null }));
    const opened = readOpen(this.context.params);
    return this.groups.flatMap((group): TableRow[] => {
      const open = opened.has(group.key);
      const runs = open ? group.runs.map((run) => ({ run, group: group.key })) : [];
      return [{ group, open }, ...runs];
    });
  }

  private openGroup(group: Group, open: boolean): void {
    const params = this.context.params;
    writeOpen(params, group.key, open);
    this.context.setParams(params);
    this.draw();
  }

  private showState(): void {
    const archived = this.runs.filter(({ marks }) => marks.archived).length;
    const total = this.runs.length - (this.filter.archived ? 0 : archived);
    this.toolbar.show({
      filter: this.text(),
      problems: this.filter.problems,
      group: this.context.params.get('group') ?? '',
      groups: this.groups?.length ?? null,
      columns: this.ids(),
      plot: readPlot(this.context.params).kind,
      catalogue: this.catalogue,
      shown: this.shown.length,
      total,
      whole: this.whole(),
      selected: this.selected.size,
      writable: this.writable(),
      archived,
      baselines: this.runs.filter(({ marks }) => marks.baseline).length,
    });
    const selected = this.shown.filter(({ id }) => this.selected.has(id)).length;
    this.table.showSelected(selected, this.shown.length, this.whole());
    this.showPlots();
    this.toolbar.element.hidden = this.runs.length === 0;
    this.table.element.hidden = this.shown.length === 0;
    const notes = (this.list?.problems ?? []).map((problem) =>
      html('p', { class: 'notice warning' }, problem),
    );
    this.message.replaceChildren(...notes);
    if (this.runs.length === 0) this.message.append(firstRun(this.list?.folders ?? []));
    else if (this.shown.length === 0)
      this.message.append(this.whole() ? this.noMatch() : loading('Loading all runs …'));
  }

  private noMatch(): HTMLElement {
    const all = html('button', { type: 'button', class: 'button' }, 'Show all runs');
    all.addEventListener('click', () => {
      this.set('search', '');
      this.toolbar.filter.focus();
    });
    return html(
      'div',
      { class: 'empty' },
      html('h2', {}, 'No runs match'),
      html(
        'p',
        {},
        'All pieces must match: words, lr>1e-3, min:loss<0.1, tag:baseline, status:failed, name~regex, has:findings or -word.',
      ),
      all,
    );
  }

  private writable(): boolean {
    return this.context.session.scopes.includes('write');
  }

  private edit(runs: readonly RunSummary[]): void {
    const place = focusedControl();
    openMarksDialog(runs, {
      client: this.context.client,
      announce: (words) => this.context.announce(words),
      changed: () => this.load(),
      closed: () => {
        // The row that would get the focus back was rebuilt meanwhile.
        if (document.activeElement === document.body) this.focusAt(place);
      },
      deleted: (gone) => {
        for (const { id } of gone) this.selected.delete(id);
        this.keepSelection();
        this.trash.offerUndo(gone);
        this.load();
      },
    });
  }

  private select(runs: readonly RunSummary[], on: boolean): void {
    for (const { id } of runs) {
      if (on) this.selected.add(id);
      else this.selected.delete(id);
    }
    this.keepSelection();
    if (runs.length === 1 && !this.groups) this.showState();
    else this.draw();
  }

  private selectAll(on: boolean): void {
    this.select(this.shown, on);
    this.draw();
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
    this.toolbar.filter.focus();
  }

  // The first selected run is the one that the others are compared with.
  private compare(): void {
    const params = new URLSearchParams();
    writeRuns(params, [...this.selected]);
    if (this.selected.size >= 2) this.context.go(`#/compare?${params}`);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const typing =
      (target instanceof HTMLInputElement && target.type !== 'checkbox') ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement;
    const run = target.closest<HTMLElement>('tr[data-run]')?.dataset['run'];
    const at = this.runs.find(({ id }) => id === run);
    if (event.key === '/' && !typing) this.toolbar.filter.focus();
    else if (event.key === 'e' && at && this.writable()) this.edit([at]);
    else if (
      (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
      !typing &&
      !target.closest('details, dialog')
    ) {
      this.focusRow(this.focused() + (event.key === 'ArrowDown' ? 1 : -1));
    } else return;
    event.preventDefault();
  }

  private focused(): number {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-run], tr[data-group]');
    return row ? this.items.findIndex((item) => rowKey(item) === rowKeyOf(row)) : -1;
  }

  private focusRow(index: number): void {
    if (this.items.length === 0) return;
    if (index < 0) {
      this.toolbar.filter.focus();
      return;
    }
    const at = Math.min(index, this.items.length - 1);
    const { bottom } = this.table.head.getBoundingClientRect();
    this.rows.reveal(at, bottom, this.table.scroller());
    this.rows.row(at)?.querySelector<HTMLElement>('.runs-name')?.focus({ preventScroll: true });
  }

  // Rows are rebuilt while the reader uses them.
  private keepFocus(change: () => void): void {
    const place = focusedControl();
    change();
    this.focusAt(place);
  }

  private focusAt(place: ControlPlace | null): void {
    if (!place) return;
    const row = this.rows.row(this.items.findIndex((item) => rowKey(item) === place.row));
    if (row) controlsIn(row)[place.control]?.focus({ preventScroll: true });
  }
}

// A control of a row, which outlives the row's element.
interface ControlPlace {
  row: string;
  control: number;
}

function focusedControl(): ControlPlace | null {
  const focused = document.activeElement;
  const row = focused?.closest<HTMLElement>('tr[data-run], tr[data-group]');
  if (!row) return null;
  return { row: rowKeyOf(row), control: controlsIn(row).findIndex((one) => one === focused) };
}

// 'tag:baseline', 'tag:"my tag"'.
const tagPiece = (tag: string): string =>
  `tag:${/[\s"]/.test(tag) ? quoted(tag.replaceAll('"', '')) : tag}`;

// opened: called once when the first rows are painted, or cannot be loaded: live events, which the
// server has to search all folders for, begin then.
export function openRuns(context: PanelContext, into: HTMLElement, opened: () => void): View {
  return new RunsView(context, into, opened);
}
