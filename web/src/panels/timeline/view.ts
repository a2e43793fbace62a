// The timeline panel: loads the description, and keeps its parts and the URL in sync.

import { below, type Refusal } from '../../api/client';
import type {
  LiveEvent,
  TimelineEvent,
  TimelineHit,
  TimelineInfo,
  TimeMarks,
} from '../../api/types';
import { html } from '../../base/dom';
import { empty, loading, refused } from '../common/states';
import { StepTimes } from '../common/step_times';
import type { RunContext, View } from '../panel';
import { type Place, readPlace, writePlace } from './address';
import { Connections } from './connections';
import { CounterStore } from './counter_store';
import { showKeys, showPerfetto } from './dialogs';
import { hitAt, neighbour, visible } from './explore';
import { Hover } from './hover';
import { listenToKeys } from './keys';
import { inOrder } from './lanes';
import type { FlameChoice, StepChoice } from './model/choices';
import { Names } from './model/names';
import { trackTitle } from './model/track_title';
import { showEvents, showMarks } from './panes/lists';
import { FlamePane } from './panes/flame';
import { Panes, tabOf } from './panes/panes';
import { PathPane } from './panes/path';
import { SearchPane } from './panes/search';
import { showConnections, showSelection } from './panes/selection';
import { StatisticsPane } from './panes/statistics';
import type { Spot } from './overlay';
import { type Point, Pointers } from './pointer';
import { type Mark, marksOf } from './model/marks';
import { Source } from './source';
import { splitter } from './splitter';
import { Stage } from './stage';
import { TileStore } from './tile_store';
import { type Range, TimeWindow } from './model/time_window';
import { Toolbar } from './toolbar';
import { many, moment, span } from './model/words';

const SETTLED = 250; // Milliseconds without movement.
const AROUND = 1e6; // Microseconds on each side of the moment that a link points to.

export class TimelineView implements View {
  private readonly names = new Names();
  private readonly window: TimeWindow;
  private readonly tiles: TileStore;
  private readonly counters: CounterStore;
  private readonly stage: Stage;
  private readonly hover: Hover;
  private readonly source: Source;
  private readonly toolbar: Toolbar;
  private readonly panes: Panes;
  private readonly statistics: StatisticsPane;
  private readonly flame: FlamePane;
  private readonly path: PathPane;
  private readonly searching: SearchPane;
  private readonly connections: Connections;
  private readonly said = html('p', { class: 'unseen', 'aria-live': 'polite' });
  private readonly state = html('div', { class: 'timeline-state' });
  private readonly root = html('div', { class: 'timeline' });
  private readonly endings: (() => void)[] = [];
  private readonly times: StepTimes; // Of findings that the timeline does not have.
  private marks: TimeMarks | null = null;
  private info: TimelineInfo | null = null;
  private place: Place;
  private settling = 0;
  private titles = new Map<number, string>(); // Titles of tracks.

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    const { client, run } = context;
    this.place = readPlace(context.params);
    this.times = new StepTimes(client, run.id, () => {
      if (this.marks) this.showMarks(this.marks);
    });
    this.window = new TimeWindow(() => this.moved());
    this.tiles = new TileStore(client, run.id, this.names, (error) => this.arrived(error));
    this.counters = new CounterStore(
      client,
      run.id,
      () => this.arrange(),
      () => this.stage.changed(),
    );
    this.stage = new Stage(this.window, this.tiles, this.names, this.counters, {
      fold: (key) => this.fold(key),
      pin: (key) => this.pin(key),
    });
    this.hover = new Hover(
      this.stage,
      this.tiles,
      this.names,
      (track) => this.title(track),
      this.counters,
      (mark) => this.goToMark(mark),
    );
    this.source = new Source(client, run.id, {
      loaded: (info) => this.loaded(info),
      failed: (error) => this.failed(error),
      marked: (marks) => this.marked(marks),
    });
    this.panes = new Panes(() => this.tabChosen());
    this.statistics = new StatisticsPane(this.panes.body('statistics'), client, run.id, (name) =>
      this.search(name, true),
    );
    this.flame = this.makeFlame();
    this.path = this.makePath();
    this.toolbar = this.makeToolbar();
    this.searching = new SearchPane(this.panes.body('search'), client, run.id, {
      title: (track) => this.title(track),
      go: (hit) => this.go(hit),
      counted: (total) => {
        this.toolbar.setFound(total);
        this.panes.setCount('search', total);
      },
      say: (words) => this.say(words),
    });
    this.connections = new Connections(client, run.id, this.stage, this.tiles);
    into.replaceChildren(loading('Loading the timeline …'));
    this.listen();
    this.source.load();
  }

  live(event: LiveEvent): void {
    if (event.event === 'timeline' || event.event === 'back') this.source.grown();
    if (event.event === 'back') this.tiles.tryAgain();
    if (event.event === 'metrics' || event.event === 'back') this.counters.load();
    if (event.event === 'finding') this.source.loadMarks();
  }

  update(): void {
    this.fit(); // What is above may have changed its height.
  }

  navigate(params: URLSearchParams): void {
    const before = this.place;
    this.place = readPlace(params);
    if (this.info) this.apply(before.event);
  }

  close(): void {
    clearTimeout(this.settling);
    for (const part of [
      this.source,
      this.times,
      this.statistics,
      this.flame,
      this.path,
      this.searching,
      this.connections,
      this.toolbar,
      this.stage,
      this.counters,
      this.tiles,
    ])
      part.close();
    for (const end of this.endings) end();
  }

  // ---- Data.

  private failed(error: Refusal): void {
    if (!this.info) this.into.replaceChildren(refused(error, () => this.source.load()));
  }

  private loaded(info: TimelineInfo): void {
    const first = this.info === null || !this.root.isConnected;
    const grown =
      this.info !== null &&
      (this.info.events !== info.events ||
        this.info.state.done !== info.state.done ||
        JSON.stringify(this.info.clocks) !== JSON.stringify(info.clocks));
    const sawAll = first || (this.window.from <= 0 && this.window.to >= this.window.all[1]);
    this.info = info;
    if (info.tracks.length === 0) return this.showEmpty(info);
    const end = Math.max(1, info.end - info.start);
    this.window.setEnd(end);
    this.tiles.setTracks(inOrder(info.tracks), end);
    this.titles = new Map(info.tracks.map((track) => [track.id, trackTitle(track)]));
    this.counters.clocks = info.clocks;
    this.showState(info);
    if (grown) this.tiles.growOld();
    if (first) this.begin();
    else this.arrange();
    if (!first && sawAll) this.window.show(0, end);
  }

  private begin(): void {
    const { element } = this.panes;
    this.root.replaceChildren(
      this.toolbar.element,
      this.stage.element,
      splitter(element),
      element,
      this.hover.tip.element,
      this.said,
    );
    this.into.replaceChildren(this.root);
    this.stage.corner.replaceChildren(this.state);
    this.fit();
    this.apply(null);
    this.source.loadMarks();
    this.counters.load();
  }

  private showEmpty(info: TimelineInfo): void {
    const reading = !info.state.done;
    this.into.replaceChildren(
      reading
        ? loading('Reading traces …')
        : empty(
            'No events',
            'Profiling was on, but it recorded no events.',
            ...info.problems.slice(0, 5),
          ),
    );
  }

  private showState(info: TimelineInfo): void {
    const { done, read, total } = info.state;
    const share = total > 0 ? Math.floor((100 * read) / total) : 0;
    const words = done
      ? many(info.events, 'event')
      : `${many(info.events, 'event')} · reading ${share} %`;
    this.state.replaceChildren(words);
    for (const { text } of info.clocks) this.state.append(' · ', text);
    if (info.problems.length > 0) {
      const title = info.problems.slice(0, 20).join('\n');
      this.state.append(
        ' ',
        html(
          'span',
          { class: 'badge warning', title, tabindex: 0, 'aria-label': title },
          many(info.problems.length, 'problem'),
        ),
      );
    }
  }

  private marked(marks: TimeMarks): void {
    this.marks = marks;
    this.times.grow();
    this.showMarks(marks);
  }

  private showMarks(marks: TimeMarks): void {
    const [, end] = this.window.all;
    const start = this.info?.start ?? 0;
    this.stage.marks = marksOf(marks, start, (step) => this.times.of(step)).filter(
      (mark) => mark.time >= 0 && mark.time <= end,
    );
    this.panes.setCount('marks', this.stage.marks.length || null);
    showMarks(this.panes.body('marks'), this.stage.marks, (mark) => this.goToMark(mark));
    this.stage.changed();
  }

  // ---- URL.

  // Shows what the URL says; `shownEvent` was selected before and is already visible.
  private apply(shownEvent: number | null): void {
    const { info, place } = this;
    if (!info) return;
    this.arrange();
    this.stage.over.range = place.range;
    const moment = place.at === null ? null : place.at * 1e6 - info.start;
    this.stage.over.mark = moment;
    if (place.window) this.window.show(...place.window);
    else if (moment !== null) this.window.show(moment - AROUND, moment + AROUND);
    else this.window.show(...this.window.all);
    this.toolbar.words = place.search;
    this.toolbar.setArrows(place.arrows);
    this.names.search(place.search);
    this.searching.find(place.search);
    this.panes.show(tabOf(place.tab));
    this.select(null);
    if (place.event !== null)
      this.open(place.event, place.window === null && place.event !== shownEvent);
    this.showTab();
  }

  private write(step = false): void {
    const { window, stage, panes } = this;
    const event = stage.over.selected?.id ?? (this.source.waitsForEvent ? this.place.event : null);
    const tab = panes.current === 'selection' ? '' : panes.current;
    this.place = { ...this.place, window: window.aim, range: stage.over.range, event, tab };
    this.context.setParams(writePlace(this.place, window.all), step);
  }

  private moved(): void {
    this.hover.moved();
    this.stage.changed();
    clearTimeout(this.settling);
    this.settling = globalThis.setTimeout(() => this.settled(), SETTLED);
  }

  private settled(): void {
    if (!this.root.isConnected) return;
    this.write();
    this.wantCounters();
    this.connections.show(this.place.arrows, this.stage.screen);
    this.showTab();
  }

  private arrived(error: Refusal | null): void {
    // The page itself reports a lost connection.
    if (error && error.status !== 0)
      this.context.announce(`Could not load part of the timeline: ${error.message}`, 'warning');
    this.stage.arrived();
    this.connections.place(this.stage.over.selected);
    if (this.panes.current === 'events' && !this.tiles.waiting) this.showTab();
  }

  // ---- Tabs.

  // Empty details take no room.
  private markIdle(): void {
    const idle = this.panes.current === 'selection' && !this.stage.over.selected;
    this.panes.element.classList.toggle('idle', idle);
  }

  private tabChosen(): void {
    this.write();
    this.showTab();
  }

  // Window-dependent tabs are built only when visible.
  private showTab(): void {
    const { stage, window } = this;
    this.markIdle();
    const [from, to] = stage.over.range ?? window.aim;
    const range: Range = [Math.max(0, from), Math.min(window.all[1], to)];
    if (this.panes.current === 'statistics') this.statistics.show(range, stage.over.range !== null);
    if (this.panes.current === 'flame') this.flame.show(this.place.flame, range, window.all[1]);
    if (this.panes.current === 'path') this.path.show(this.place.step, this.info?.events ?? 0);
    else this.markPath([]);
    if (this.panes.current === 'events') {
      const { rows, joined } = visible(stage.screen, stage.lanes, this.tiles, this.names);
      showEvents(
        this.panes.body('events'),
        rows,
        joined,
        (track) => this.title(track),
        (one) => this.open(one.id, false),
      );
    }
  }

  private makeFlame(): FlamePane {
    const { client, run } = this.context;
    return new FlamePane(this.panes.body('flame'), client, run.id, {
      run: run.name,
      chosen: (flame: FlameChoice) => {
        this.place = { ...this.place, flame };
        this.tabChosen();
      },
      search: (name) => this.search(name, true),
      say: (words) => this.say(words),
      tip: this.hover.tip,
    });
  }

  private makePath(): PathPane {
    const { client, run } = this.context;
    return new PathPane(this.panes.body('path'), client, run.id, {
      title: (track) => this.title(track),
      chosen: (step: StepChoice) => {
        this.place = { ...this.place, step };
        this.tabChosen();
      },
      open: (piece) => this.go(piece),
      frame: (from, to) => this.window.glideTo(from - (to - from) / 20, to + (to - from) / 20),
      mark: (path) => {
        const pieces = path?.pieces ?? [];
        this.markPath(pieces.map((one) => ({ ...one, end: one.start + one.duration })));
      },
      search: (name) => this.search(name, true),
    });
  }

  private markPath(path: Spot[]): void {
    if (path.length === 0 && this.stage.over.path.length === 0) return;
    this.stage.over.path = path;
    this.stage.overChanged();
  }

  private title(track: number): string {
    return this.titles.get(track) ?? `track ${track}`;
  }

  private say(words: string): void {
    this.said.textContent = words;
  }

  // ---- The selected event.

  private select(event: TimelineEvent | null): void {
    this.stage.over.selected = event;
    this.markIdle();
    this.connections.place(event);
    showSelection(
      this.panes.body('selection'),
      event,
      (track) => this.title(track),
      () => this.frame(),
    );
    showConnections(
      this.panes.body('connections'),
      event,
      (track) => this.title(track),
      (hit) => this.go(hit),
    );
    this.panes.setCount(
      'connections',
      event && event.connected.length > 0 ? event.connected.length : null,
    );
    this.searching.mark(event?.id ?? null);
    this.stage.overChanged();
  }

  // Loads an event and selects it; `centre`: also moves the window there.
  private open(id: number, centre: boolean, step = false): void {
    this.place = { ...this.place, event: id };
    this.source.loadEvent(
      id,
      (event) => {
        this.unfold(event.track);
        if (centre) this.centre(event);
        this.stage.reveal(event.track, event.depth);
        this.select(event);
        this.write(step);
        this.say(
          `Selected ${event.name}, ${span(event.duration)}, at ${moment(event.start, 1)}, ${this.title(event.track)}` +
            (event.connected.length > 0 ? `, ${many(event.connected.length, 'connection')}` : ''),
        );
      },
      (error) => {
        this.context.announce(`Could not load the event: ${error.message}`, 'warning');
        this.place = { ...this.place, event: null };
      },
    );
  }

  private go(hit: TimelineHit): void {
    this.unfold(hit.track);
    this.centre(hit);
    this.open(hit.id, false, true);
  }

  // Moves as little as possible: not at all if it is already visible.
  private centre({ start, duration }: { start: number; duration: number }): void {
    const [from, to] = this.window.aim;
    const pixels = (duration / (to - from)) * this.stage.front.clientWidth;
    const inside = start >= from && start + duration <= to;
    if (inside && pixels >= 3) return;
    const wide =
      pixels >= 3 && pixels < this.stage.front.clientWidth ? to - from : Math.max(1, duration) * 24;
    const middle = start + duration / 2;
    this.window.glideTo(middle - wide / 2, middle + wide / 2);
  }

  private unfold(track: number): void {
    const group = this.stage.lanes.hidden(track);
    if (group) this.fold(group.key);
    if (group && this.stage.lanes.hidden(track)) this.unfold(track);
  }

  private fold(key: string): void {
    const closed = new Set(this.place.closed);
    if (!closed.delete(key)) closed.add(key);
    this.place = { ...this.place, closed };
    this.arrange();
    this.connections.place(this.stage.over.selected);
    this.write();
  }

  private pin(key: string): void {
    const pinned = new Set(this.place.pinned);
    const unpinned = pinned.delete(key);
    if (!unpinned) pinned.add(key);
    this.place = { ...this.place, pinned };
    this.arrange();
    this.connections.place(this.stage.over.selected);
    this.say(unpinned ? 'Track unpinned' : 'Track pinned to the top');
    this.write();
  }

  // Where the tracks are.
  private arrange(): void {
    const { closed, pinned } = this.place;
    const { counters } = this.counters;
    this.stage.setTracks(this.info?.tracks ?? [], { closed, pinned, counters });
    this.wantCounters();
  }

  private wantCounters(): void {
    if (!this.info) return;
    const { visibleCounters, screen } = this.stage;
    this.counters.want(visibleCounters, this.window.aim, this.info.start, screen.width / 2);
  }

  private frame(): void {
    const { selected, range } = this.stage.over;
    if (selected) {
      const beside = Math.max(selected.duration, 0.2) * 0.6;
      this.window.glideTo(selected.start - beside, selected.start + selected.duration + beside);
    } else if (range) {
      this.window.glideTo(...range);
    } else {
      this.window.glideTo(...this.window.all);
    }
  }

  private clear(): void {
    const { over } = this.stage;
    if (over.selected || over.range || over.mark !== null) {
      over.range = null;
      over.mark = null;
      this.place = { ...this.place, at: null, event: null };
      this.source.forgetEvent();
      this.select(null);
      this.say('Nothing selected');
    } else if (this.place.search) {
      this.search('', false);
    }
    this.write();
    this.showTab();
  }

  private goToMark(mark: Mark): void {
    this.stage.over.mark = mark.time;
    this.place = { ...this.place, at: ((this.info?.start ?? 0) + mark.time) / 1e6 };
    this.window.glideTo(mark.time - AROUND / 2, mark.time + AROUND / 2);
    this.say(mark.words);
  }

  // ---- Search.

  private search(words: string, show: boolean): void {
    if (show && words) this.panes.show('search');
    this.toolbar.words = words;
    if (words === this.place.search) return;
    this.place = { ...this.place, search: words };
    this.names.search(words);
    this.searching.find(words);
    this.stage.changed();
    this.write();
  }

  private hit(by: 1 | -1): void {
    this.searching.step(by, this.stage.over.selected?.id ?? null, this.window.from);
  }

  // ---- User actions.

  private makeToolbar(): Toolbar {
    const { window, context } = this;
    return new Toolbar({
      search: (words) => this.search(words, true),
      hit: (by) => this.hit(by),
      leave: () => this.stage.front.focus(),
      zoom: (factor) => window.glideTo(...window.zoomed(factor)),
      all: () => window.glideTo(...window.all),
      arrows: (on) => {
        this.place = { ...this.place, arrows: on };
        this.settled();
      },
      perfetto: () =>
        showPerfetto(context, below(context.run.id, 'timeline/trace.json.gz'), context.run.name),
      help: showKeys,
    });
  }

  private listen(): void {
    const { stage, window } = this;
    const pointers = new Pointers(stage.front, window, {
      hover: (at, event) => this.hover.over(at, event),
      pick: (at) => this.pick(at),
      enter: () => this.frame(),
      range: (from, to, done) => this.chooseRange(from, to, done),
      scroll: (by) => (stage.body.scrollTop += by),
    });
    const stopKeys = listenToKeys(this.root, stage.front, window, {
      frame: () => this.frame(),
      clear: () => this.clear(),
      search: () => this.toolbar.focus(),
      help: showKeys,
      hit: (by) => this.hit(by),
      neighbour: (by) => this.neighbour(by),
      connected: () => {
        const other = stage.over.selected?.connected[0];
        if (other) this.go(other);
      },
      scroll: (share) => (stage.body.scrollTop += share * stage.body.clientHeight),
    });
    const fit = (): void => this.fit();
    globalThis.addEventListener('resize', fit);
    this.endings.push(
      () => pointers.close(),
      stopKeys,
      () => globalThis.removeEventListener('resize', fit),
    );
  }

  // Uses the height that the screen offers.
  private fit(): void {
    if (!this.root.isConnected) return;
    const top = this.root.getBoundingClientRect().top + globalThis.scrollY;
    const main = this.root.closest('main');
    const below = main ? parseFloat(getComputedStyle(main).paddingBottom) || 0 : 16;
    this.root.style.height = `${Math.max(560, globalThis.innerHeight - top - below)}px`;
  }

  private pick(at: Point): void {
    const { stage, window } = this;
    const hit = hitAt(at.x, at.y, stage.screen, stage.lanes, this.tiles);
    if (!hit) {
      if (stage.over.selected || stage.over.range) this.clear();
      return;
    }
    // Merged events: zooms in until they can be told apart.
    if (hit.slice.count > 1)
      return window.glideTo(...window.zoomed(0.2, at.x / stage.front.clientWidth));
    if (this.panes.current !== 'connections') this.panes.show('selection');
    this.open(hit.slice.id, false, true);
  }

  private chooseRange(from: number, to: number, done: boolean): void {
    const { stage, window } = this;
    const time = (share: number): number =>
      window.from + Math.min(1, Math.max(0, share)) * window.span;
    const range: Range = [time(Math.min(from, to)), time(Math.max(from, to))];
    stage.over.range = range[1] > range[0] ? range : null;
    stage.overChanged();
    if (!done) return;
    if (stage.over.range) this.say(`${span(range[1] - range[0])} selected`);
    this.panes.show('statistics');
    this.write(true);
    this.showTab();
  }

  private neighbour(by: 1 | -1): void {
    const { stage } = this;
    const { selected } = stage.over;
    if (selected) {
      const next = neighbour(selected, by, stage.screen, this.tiles);
      if (!next) return this.say('No other event in view');
      this.centre({ start: next.start, duration: next.end - next.start });
      return this.open(next.id, false);
    }
    const first = visible(stage.screen, stage.lanes, this.tiles, this.names).rows.find(
      (one) => one.start >= stage.screen.from,
    );
    if (first) this.open(first.id, false);
    else this.say('No events visible. Press w to zoom in.');
  }
}
