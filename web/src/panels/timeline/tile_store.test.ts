import { describe, expect, test, vi } from 'vitest';
import type { Answer, AskOptions, Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import { columnsOf } from '../../api/runs_for_test';
import { Names } from './model/names';
import type { SlicesHeader } from './model/tile';
import { TileStore } from './tile_store';
import { type Sent, slicesOf, trackOf } from './model/tiles_for_test';

const WIDTH = 1024; // Pixels of a tile: 1024 microseconds at level 0.
const END = 16 * WIDTH; // Level 4 holds everything.

interface Request {
  from: number;
  to: number;
  tracks: string | undefined;
  signal: AbortSignal | undefined;
  answer: (sent?: Sent[] | Columns<SlicesHeader>) => Promise<void>;
  refuse: () => Promise<void>;
}

// A store whose requests the test answers.
function storeOf(tracks = [trackOf(1)], end = END) {
  const requests: Request[] = [];
  const columns = (_: string, { query, signal }: AskOptions): Promise<Answer<unknown>> =>
    new Promise((resolve) => {
      const settle = async (answer: Answer<unknown>): Promise<void> => {
        resolve(answer);
        await Promise.resolve();
        await Promise.resolve();
      };
      requests.push({
        from: query?.['from'] as number,
        to: query?.['to'] as number,
        tracks: query?.['tracks'] as string | undefined,
        signal,
        answer: (sent = [{ start: 0, duration: 1, count: 5 }]) =>
          settle({ ok: true, value: Array.isArray(sent) ? slicesOf(sent) : sent }),
        refuse: () => settle({ ok: false, error: { status: 500, message: 'no' } }),
      });
    });
  const arrived = vi.fn();
  const store = new TileStore({ columns } as unknown as Client, 'r', new Names(), arrived);
  store.setTracks(tracks, end);
  const ranges = (): [number, number][] => requests.map(({ from, to }) => [from, to]);
  // Answers until nothing more is asked for.
  const answerAll = async (sent?: Sent[]): Promise<void> => {
    for (let i = 0; i < requests.length; ++i) await requests[i]?.answer(sent);
  };
  return { store, requests, ranges, arrived, answerAll };
}

describe('level', () => {
  test.each([
    [1, 0],
    [1.9, 0],
    [2, 1],
    [0.5, -1],
    [1e9, 4],
    [1e-30, -12],
  ])('%f microseconds per pixel: level %i', (pixel, level) => {
    expect(storeOf().store.level(pixel)).toBe(level);
  });

  test('a short or empty timeline', () => {
    expect(storeOf([], 0).store.level(1)).toBeLessThan(0);
    expect(storeOf([], 1).store.level(1e9)).toBe(-10);
  });
});

describe('want', () => {
  test('everything first, then the window from its middle, then its neighbors', async () => {
    const { store, ranges, answerAll } = storeOf();
    store.want(4 * WIDTH, 5.5 * WIDTH, 1, [1]);
    expect(ranges()).toEqual([
      [0, END],
      [4 * WIDTH, 5 * WIDTH],
      [5 * WIDTH, 6 * WIDTH],
    ]);
    await answerAll();
    expect(ranges().slice(3)).toEqual([
      [6 * WIDTH, 7 * WIDTH],
      [3 * WIDTH, 4 * WIDTH],
    ]);
    expect(store.waiting).toBe(false);
  });

  test('nothing before the start and after the end', async () => {
    const { store, ranges, answerAll } = storeOf();
    store.want(-50, 100, 1, [1]);
    await answerAll();
    store.want(END - 100, END + 900, 1, [1]);
    await answerAll();
    for (const [from, to] of ranges()) {
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(END);
    }
  });

  test('three at a time; what is no longer visible is aborted', () => {
    const { store, requests } = storeOf();
    store.want(0, 8 * WIDTH, 1, [1]);
    expect(requests).toHaveLength(3);
    store.want(10 * WIDTH, 10.5 * WIDTH, 1, [1]);
    const aborted = requests.map(({ signal }) => signal?.aborted);
    expect(aborted).toEqual([false, true, true, false, false]);
  });

  test('what is loaded is not asked for again, unless it grew old', async () => {
    const { store, requests, answerAll } = storeOf();
    store.want(0, 100, 1, [1]);
    await answerAll();
    const before = requests.length;
    store.want(0, 100, 1, [1]);
    expect(requests).toHaveLength(before);
    store.growOld();
    store.want(0, 100, 1, [1]);
    expect(requests.length).toBeGreaterThan(before);
  });

  test('a complete tile has nothing finer', async () => {
    const { store, ranges, answerAll } = storeOf();
    store.want(0, END, 16, [1]);
    await answerAll([{ start: 0, duration: 1 }]);
    store.want(0, 100, 0.01, [1]);
    expect(ranges()).toEqual([[0, END]]);
  });

  test('a failure is reported once and tried again later', async () => {
    vi.useFakeTimers();
    try {
      const { store, requests, arrived } = storeOf();
      store.want(0, END, 16, [1]);
      await requests[0]?.refuse();
      expect(arrived).toHaveBeenLastCalledWith({ status: 500, message: 'no' });
      store.want(0, END, 16, [1]);
      expect(requests).toHaveLength(1);
      vi.advanceTimersByTime(5001);
      store.want(0, END, 16, [1]);
      expect(requests).toHaveLength(2);
      await requests[1]?.refuse();
      expect(arrived).toHaveBeenLastCalledWith(null);
      store.tryAgain();
      store.want(0, END, 16, [1]);
      expect(requests).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test('tracks are asked for in blocks of a few rows', async () => {
    const tracks = [1, 2, 3].map((id) => trackOf(id, { depth: 40 }));
    const { store, requests, answerAll } = storeOf(tracks);
    store.want(0, END, 16, [2]);
    await answerAll();
    expect(requests.map((request) => request.tracks)).toEqual(['2', '1', '3']);
    expect([1, 2, 3, 9].map((id) => store.blockNumber(id))).toEqual([0, 1, 2, -1]);
    const small = storeOf([1, 2, 3].map((id) => trackOf(id, { depth: 20 })));
    small.store.want(0, END, 16, [2]);
    expect(small.requests.map((request) => request.tracks)).toEqual([undefined]);
  });

  test('an unknown track asks for nothing more', () => {
    const { store, ranges } = storeOf();
    store.want(0, 100, 1, [77]);
    expect(ranges()).toEqual([[0, END]]); // For the minimap.
  });

  test('nothing after close', async () => {
    const { store, requests } = storeOf();
    store.want(0, 8 * WIDTH, 1, [1]);
    store.close();
    expect(requests.every(({ signal }) => signal?.aborted)).toBe(true);
    await requests[0]?.answer();
    expect(store.overview(1)).toBeUndefined();
  });
});

describe('cover', () => {
  const parts = (store: TileStore, from: number, to: number, pixel: number): number[][] =>
    store.cover(1, from, to, pixel).map((part) => [part.from, part.to, part.tile.from]);

  test('nothing is loaded', () => {
    const { store } = storeOf();
    expect(store.cover(1, 0, 100, 1)).toEqual([]);
    expect(store.cover(9, 0, 100, 1)).toEqual([]);
    expect(store.tileAt(1, 0, 1)).toBeUndefined();
  });

  test('a coarse tile until the right ones are there', async () => {
    const { store, requests } = storeOf();
    store.want(0, 2 * WIDTH - 1, 1, [1]);
    await requests[0]?.answer();
    expect(parts(store, 0, 2 * WIDTH - 1, 1)).toEqual([[0, 2 * WIDTH - 1, 0]]);
    await requests.find(({ from, to }) => from === WIDTH && to === 2 * WIDTH)?.answer();
    expect(parts(store, 0, 2 * WIDTH - 1, 1)).toEqual([
      [0, WIDTH, 0],
      [WIDTH, 2 * WIDTH - 1, WIDTH],
    ]);
    expect(store.tileAt(1, WIDTH + 5, 1)?.from).toBe(WIDTH);
  });

  test('finer tiles if both halves are there', async () => {
    const { store, answerAll } = storeOf();
    store.want(0, 2 * WIDTH - 1, 1, [1]);
    await answerAll();
    expect(parts(store, 0, 2 * WIDTH, 2)).toEqual([
      [0, WIDTH, 0],
      [WIDTH, 2 * WIDTH, WIDTH],
    ]);
  });

  test('the whole, once, even at the finest zoom if it is complete', async () => {
    const { store, requests } = storeOf();
    store.want(0, END, 16, [1]);
    await requests[0]?.answer([{ start: 3, duration: 1 }]);
    expect(parts(store, 2.9, 4.1, 0.001)).toEqual([[2.9, 4.1, 0]]);
  });

  test('before the start and after the end there is nothing', async () => {
    const { store, answerAll } = storeOf();
    store.want(0, END, 16, [1]);
    await answerAll();
    expect(parts(store, -500, -100, 16)).toEqual([]);
    expect(parts(store, -500, 100, 16)).toEqual([[0, 100, 0]]);
  });
});

describe('memory', () => {
  test('tracks that changed lose their tiles, others keep them', async () => {
    const tracks = [1, 2].map((id) => trackOf(id, { depth: 40 }));
    const { store, answerAll } = storeOf(tracks);
    store.want(0, END, 16, [1, 2]);
    await answerAll();
    expect(store.overview(1)).toBeDefined();
    store.setTracks([tracks[0] ?? trackOf(1), trackOf(3, { depth: 40 })], END);
    expect(store.overview(1)).toBeDefined();
    expect(store.overview(3)).toBeUndefined();
  });

  test('the least recently used tiles are dropped, never the overview', async () => {
    const { store, requests } = storeOf();
    const length = 1_000_000;
    const large = columnsOf(
      {},
      {
        track: new Uint32Array(length).fill(1),
        start: Float64Array.from({ length }, (_, i) => i),
        count: new Uint32Array(length).fill(2),
      },
    );
    store.want(0, END, 16, [1]);
    await requests[0]?.answer();
    for (let i = 0; i < 5; ++i) {
      store.want(i * WIDTH, i * WIDTH + 1, 1, [1]);
      await requests
        .filter(({ from, to }) => from === i * WIDTH && to - from === WIDTH)
        .at(-1)
        ?.answer(large);
    }
    const width = (i: number): number | undefined => {
      const tile = store.tileAt(1, i * WIDTH + 1, 1);
      return tile && tile.to - tile.from;
    };
    expect([0, 4].map(width)).toEqual([END, WIDTH]);
  });
});
