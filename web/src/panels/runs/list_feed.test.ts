import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, Client, type Query, type Tagged } from '../../api/client';
import type { RunList, RunSummary } from '../../api/types';
import { ListFeed } from './list_feed';

const listOf = (more?: boolean, count = 0): RunList => ({
  runs: Array.from({ length: count }, () => ({}) as RunSummary),
  folders: [],
  problems: [],
  pending: 0,
  ...(more === undefined ? {} : { more }),
});

// What happens, in order: requests, 'came', 'failed' and 'opened'.
class Bench {
  readonly log: string[] = [];
  private readonly answers: ((answer: Answer<Tagged<RunList> | null>) => void)[] = [];
  private readonly frames: (() => void)[] = [];
  readonly feed: ListFeed;

  constructor(first: Query) {
    vi.stubGlobal('window', { setTimeout });
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => this.frames.push(frame));
    vi.stubGlobal('cancelAnimationFrame', (id: number) => this.frames.splice(id - 1, 1));
    const client = new Client();
    vi.spyOn(client, 'getChanged').mockImplementation((path, known, options) => {
      this.log.push(`${path}${JSON.stringify(options?.query)}${known}`);
      return new Promise((resolve) => this.answers.push(resolve));
    });
    this.feed = new ListFeed(client, () => first, {
      came: ({ more }) => this.log.push(more ? 'came: newest' : 'came: all'),
      unchanged: () => this.log.push('unchanged'),
      failed: () => this.log.push('failed'),
      opened: () => this.log.push('opened'),
    });
    this.feed.load();
  }

  async answer(answer: Answer<Tagged<RunList> | null>): Promise<void> {
    this.answers.shift()?.(answer);
    await vi.advanceTimersByTimeAsync(0);
  }

  list(more?: boolean, count = 0): Promise<void> {
    return this.answer({ ok: true, value: { tag: '"tag"', value: listOf(more, count) } });
  }

  async paint(): Promise<void> {
    for (const frame of this.frames.splice(0)) frame();
    await vi.advanceTimersByTimeAsync(0);
  }
}

const NEWEST = 'runs{"first":200}';
const ALL = 'runs{}';
const ALL_OR_NOTHING = 'runs{}"tag"'; // If it has changed.

describe('the list is asked for', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('newest runs first, then all of them once, and events after that', async () => {
    const bench = new Bench({ first: 200 });
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(5000);
    expect(bench.log).toEqual([NEWEST]);
    await bench.list(true);
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(5000);
    expect(bench.log).toEqual([NEWEST, 'came: newest']);
    await bench.paint();
    expect(bench.log).toEqual([NEWEST, 'came: newest', ALL, 'opened']);
    await bench.list();
    await bench.paint();
    expect(bench.log).toEqual([NEWEST, 'came: newest', ALL, 'opened', 'came: all']);
  });

  test('at once where the first rows need all of it', async () => {
    const bench = new Bench({});
    await bench.list();
    expect(bench.log).toEqual([ALL, 'came: all']);
    await bench.paint();
    expect(bench.log).toEqual([ALL, 'came: all', 'opened']);
  });

  test('again when events tell of changes, one request at a time', async () => {
    const bench = new Bench({});
    await bench.list();
    await bench.paint();
    bench.log.length = 0;
    bench.feed.tell();
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(1);
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(5000);
    expect(bench.log).toEqual([ALL_OR_NOTHING]);
    await bench.list();
    expect(bench.log).toEqual([ALL_OR_NOTHING, 'came: all', ALL_OR_NOTHING]);
    await bench.answer({ ok: true, value: null });
    expect(bench.log.slice(3)).toEqual(['unchanged']);
  });

  test('less often the longer it is', async () => {
    const bench = new Bench({});
    await bench.list(false, 10_000);
    await bench.paint();
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(1);
    await bench.list(false, 10_000);
    bench.log.length = 0;
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(4900);
    expect(bench.log).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.log).toEqual([ALL_OR_NOTHING]);
  });

  test('again by events after a failure', async () => {
    const bench = new Bench({ first: 200 });
    await bench.answer({ ok: false, error: { status: 0, message: '' } });
    expect(bench.log).toEqual([NEWEST, 'failed', 'opened']);
    bench.feed.tell();
    await vi.advanceTimersByTimeAsync(1);
    expect(bench.log.slice(3)).toEqual([NEWEST]);
    await bench.list(true);
    await bench.paint();
    expect(bench.log.slice(4)).toEqual(['came: newest', ALL]);
    // What is no longer shown comes again.
    await bench.answer({ ok: false, error: { status: 0, message: '' } });
    bench.feed.load();
    expect(bench.log.slice(6)).toEqual(['failed', NEWEST]);
  });

  test('no more once it is closed', async () => {
    const bench = new Bench({ first: 200 });
    await bench.list(true);
    bench.feed.close();
    await bench.paint();
    expect(bench.log).toEqual([NEWEST, 'came: newest']);
  });
});
