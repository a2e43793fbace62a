import { describe, expect, test } from 'vitest';
import type { TimelineEvent } from '../../api/types';
import { depthOf, hitAt, neighbour, visible } from './explore';
import { Lanes } from './lanes';
import { Names } from './model/names';
import type { Screen } from './painter';
import type { TileStore } from './tile_store';
import { type Sent, tileOf, trackOf } from './model/tiles_for_test';

// 1000 pixels show 1000 microseconds.
const SCREEN: Screen = { from: 0, to: 1000, width: 1000, height: 500, ratio: 1, scroll: 0 };

function stageOf(sent: Sent[], closed: string[] = []) {
  const names = new Names();
  const tile = tileOf(sent, names);
  const lanes = new Lanes([trackOf(1, { depth: 3 }), trackOf(2)], { closed: new Set(closed) });
  const tiles = {
    tileAt: () => tile,
    cover: (_: number, from: number, to: number) => [{ tile, from, to }],
  } as unknown as TileStore;
  // The middle of a row of a track.
  const y = (track: number, depth = 0): number => (lanes.place(track, depth)?.y ?? NaN) + 5;
  return { names, lanes, tiles, y };
}

const eventOf = (changes: Partial<TimelineEvent>): TimelineEvent => ({
  id: 0,
  name: '',
  track: 1,
  start: 0,
  duration: 10,
  category: '',
  depth: 0,
  self: 0,
  step: null,
  connected: [],
  ...changes,
});

describe('hitAt', () => {
  const { lanes, tiles, y } = stageOf([
    { start: 100, duration: 50, id: 1 },
    { start: 100, duration: 20, depth: 1, id: 2 },
    { start: 155, duration: 0, id: 3 },
    { start: 158, duration: 10, id: 4 },
  ]);
  const id = (x: number, depth = 0): number | undefined =>
    hitAt(x, y(1, depth), SCREEN, lanes, tiles)?.slice.id;

  test('inside, by row', () => {
    expect([id(100), id(149), id(110, 1)]).toEqual([1, 1, 2]);
  });

  test('a slice as thin as a pixel can be hit beside it', () => {
    expect(id(154)).toBe(3);
    expect(id(156)).toBe(3);
  });

  test('what contains the pointer wins over what is near', () => {
    expect(id(158)).toBe(4);
  });

  test('nothing', () => {
    expect(id(90)).toBeUndefined();
    expect(id(110, 2)).toBeUndefined();
    expect(hitAt(110, -5, SCREEN, lanes, tiles)).toBeNull();
    expect(hitAt(110, y(2), SCREEN, lanes, tiles)).toBeNull();
    expect(hitAt(110, 2, SCREEN, lanes, tiles)).toBeNull(); // The title of a group.
  });

  test('scrolled and on a sharper screen', () => {
    const sharp = { ...SCREEN, width: 2000, ratio: 2, scroll: 10 };
    expect(hitAt(110, y(1) - 10, sharp, lanes, tiles)?.slice.id).toBe(1);
  });

  test('in a closed group', () => {
    const closed = stageOf([{ track: 2, start: 5, duration: 5, id: 7 }], ['algo-1/CPU/python']);
    expect(hitAt(7, 10, SCREEN, closed.lanes, closed.tiles)).toMatchObject({
      track: 2,
      slice: { id: 7 },
    });
  });
});

describe('depthOf', () => {
  const { tiles } = stageOf([
    { start: 100, duration: 50, id: 1 },
    { start: 100, duration: 50, depth: 1, id: 2 },
    { start: 90, duration: 50, depth: 2, count: 8, id: 3 },
  ]);

  test('by id', () => {
    expect(depthOf(1, 1, 100, SCREEN, tiles, 3)).toBe(0);
    expect(depthOf(1, 2, 100, SCREEN, tiles, 3)).toBe(1);
  });

  test('the deepest row with data if it is merged with others', () => {
    expect(depthOf(1, 99, 100, SCREEN, tiles, 3)).toBe(2);
    expect(depthOf(1, 99, 500, SCREEN, tiles, 3)).toBe(0);
  });

  test('nothing is loaded', () => {
    const empty = { tileAt: () => undefined } as unknown as TileStore;
    expect(depthOf(1, 1, 100, SCREEN, empty, 3)).toBe(0);
  });
});

describe('neighbour', () => {
  const { tiles } = stageOf([
    { start: 0, duration: 10, id: 0 },
    { start: 10, duration: 10, id: 1 },
    { start: 20, duration: 10, id: 2, count: 4 },
    { start: 30, duration: 0, id: 3 },
    { start: 40, duration: 10, id: 4 },
  ]);
  const next = (id: number, start: number, duration: number, by: 1 | -1): number | undefined =>
    neighbour(eventOf({ id, start, duration }), by, SCREEN, tiles)?.id;

  test('the next, without merged ones', () => {
    expect(next(0, 0, 10, 1)).toBe(1);
    expect(next(1, 10, 10, 1)).toBe(3);
    expect(next(3, 30, 0, 1)).toBe(4);
    expect(next(4, 40, 10, 1)).toBeUndefined();
  });

  test('the previous, also if it ends where this one begins', () => {
    expect(next(1, 10, 10, -1)).toBe(0);
    expect(next(3, 30, 0, -1)).toBe(1);
    expect(next(4, 40, 10, -1)).toBe(3);
    expect(next(0, 0, 10, -1)).toBeUndefined();
  });

  test('an event of another row', () => {
    expect(neighbour(eventOf({ track: 9 }), 1, SCREEN, tiles)).toBeNull();
  });
});

describe('visible', () => {
  test('by time, each once, and how many are merged', () => {
    const { lanes, tiles, names } = stageOf([
      { start: 50, duration: 5, name: 'b', id: 1 },
      { start: 10, duration: 5, name: 'a', depth: 1, id: 2 },
      { start: 60, duration: 5, depth: 1, count: 7, id: 3 },
      { start: 2000, duration: 5, depth: 1, id: 4 },
      { track: 2, start: 20, duration: 5, name: 'c', id: 5 },
      { track: 2, start: 30, duration: 5, name: 'c', id: 5 },
    ]);
    const { rows, joined } = visible(SCREEN, lanes, tiles, names);
    expect(rows.map(({ id, text }) => [id, text])).toEqual([
      [2, 'a'],
      [5, 'c'],
      [1, 'b'],
    ]);
    expect(joined).toBe(7);
  });

  test('only lanes on the screen', () => {
    const { lanes, tiles, names } = stageOf([{ track: 2, start: 20, duration: 5, id: 5 }]);
    expect(visible({ ...SCREEN, height: 30 }, lanes, tiles, names).rows).toEqual([]);
  });

  test('a list has an end', () => {
    const many = Array.from({ length: 5000 }, (_, start) => ({
      start: start / 10,
      duration: 0.05,
    }));
    const { lanes, tiles, names } = stageOf(many);
    expect(visible(SCREEN, lanes, tiles, names).rows).toHaveLength(2000);
  });
});
