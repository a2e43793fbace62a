import { describe, expect, test } from 'vitest';
import { inOrder, Lanes, ROW_HEIGHT, rowsOf } from './lanes';
import { rowOf } from './model/tile';
import { trackOf } from './model/tiles_for_test';

const lanesOf = (tracks: ReturnType<typeof trackOf>[], ...closed: string[]): Lanes =>
  new Lanes(tracks, { closed: new Set(closed) });
const titles = ({ lanes }: Lanes): string[] =>
  lanes.map(({ level, title }) => ' '.repeat(level) + title);

const CPU = trackOf(1);
const GPU = trackOf(2, { device: 'GPU', process: 'GPU 0', name: 'stream 7', depth: 1 });
const OTHER = trackOf(3, { host: 'algo-2', name: '' });

describe('Lanes', () => {
  test('groups with one group are merged', () => {
    expect(titles(lanesOf([CPU]))).toEqual(['algo-1 › CPU › python', ' thread 1']);
    expect(titles(lanesOf([CPU, GPU, OTHER]))).toEqual([
      'algo-1',
      ' CPU › python',
      '  thread 1',
      ' GPU › GPU 0',
      '  GPU 0, stream 7',
      'algo-2 › CPU › python',
      ' track 3',
    ]);
  });

  test('lanes lie below each other without gaps', () => {
    const { lanes, height } = lanesOf([CPU, GPU, OTHER]);
    let y = 0;
    for (const lane of lanes) {
      expect(lane.y).toBe(y);
      y += lane.height;
    }
    expect(height).toBe(y);
  });

  test('no tracks', () => {
    const lanes = lanesOf([]);
    expect(lanes.height).toBe(0);
    expect(lanes.at(0)).toBeUndefined();
    expect(lanes.between(0, 100)).toEqual([]);
  });

  test('a closed group has one row for all of its tracks', () => {
    const lanes = lanesOf([CPU, GPU, OTHER], 'algo-1');
    expect(titles(lanes)).toEqual(['algo-1', 'algo-2 › CPU › python', ' track 3']);
    expect(lanes.hidden(1)?.title).toBe('algo-1');
    expect(lanes.hidden(3)).toBeUndefined();
    const [group] = lanes.lanes;
    expect(group && rowsOf(group, 0)).toEqual([rowOf(1, 0), rowOf(2, 0)]);
    expect(lanes.place(1, 5)?.lane).toBe(group);
  });

  test('a closed track has one row', () => {
    const deep = trackOf(1, { depth: 9 });
    const open = lanesOf([deep]).lanes[1];
    const closed = lanesOf([deep], 'track:1').lanes[1];
    expect([open?.rows, closed?.rows]).toEqual([9, 1]);
    expect(open && rowsOf(open, 4)).toEqual([rowOf(1, 4)]);
  });

  test('depths have limits', () => {
    expect(lanesOf([trackOf(1, { depth: 0 })]).lanes[1]?.rows).toBe(1);
    const deep = lanesOf([trackOf(1, { depth: 100_000 })]);
    expect(deep.lanes[1]?.rows).toBe(200);
    const lane = deep.lanes[1];
    expect(deep.place(1, 5000)?.y).toBe((lane?.y ?? 0) + 199 * ROW_HEIGHT);
  });

  test('what is at a height', () => {
    const lanes = lanesOf([CPU, GPU]);
    const track = lanes.lanes.find(({ title }) => title === 'thread 1');
    if (!track) throw new Error('no track');
    expect(lanes.at(track.y)).toEqual({ lane: track, row: 0 });
    expect(lanes.at(track.y + ROW_HEIGHT)).toEqual({ lane: track, row: 1 });
    expect(lanes.at(track.y - 1)?.lane.title).toBe('CPU › python');
    expect(lanes.at(-1)).toBeUndefined();
    expect(lanes.at(lanes.height)).toBeUndefined();
    expect(lanes.place(99, 0)).toBeUndefined();
  });

  test('what is between two heights', () => {
    const lanes = lanesOf([CPU, GPU]);
    expect(lanes.between(-100, 1e9)).toEqual(lanes.lanes);
    expect(lanes.between(0, 1)).toEqual(lanes.lanes.slice(0, 1));
    expect(lanes.between(lanes.height, 1e9)).toEqual([]);
  });

  test('a track of a host that comes again joins its group', () => {
    const lanes = lanesOf([CPU, OTHER, trackOf(4)]);
    expect(titles(lanes)).toEqual([
      'algo-1 › CPU › python',
      ' thread 1',
      ' thread 4',
      'algo-2 › CPU › python',
      ' track 3',
    ]);
  });
});

const counter = (node: string, key: string, utilization = true) => ({
  id: `${node}/${key}`,
  node,
  key,
  title: key,
  unit: '%',
  top: 100,
  utilization,
});
const COUNTERS = [
  counter('algo-1', 'cpu'),
  counter('algo-1', 'memory', false),
  counter('elsewhere', 'cpu'),
];

describe('counters', () => {
  test('are above their host, those without tracks first; the others are collapsed', () => {
    expect(titles(new Lanes([CPU], { closed: new Set(), counters: COUNTERS }))).toEqual([
      'elsewhere › Utilization',
      ' cpu',
      'algo-1 › Utilization',
      ' cpu',
      ' Other counters',
      'algo-1 › CPU › python',
      ' thread 1',
    ]);
  });

  test('are collapsed and expanded', () => {
    const closed = new Set(['usage/elsewhere', 'counters/algo-1']);
    expect(titles(new Lanes([CPU], { closed, counters: COUNTERS })).slice(0, 5)).toEqual([
      'elsewhere › Utilization',
      'algo-1 › Utilization',
      ' cpu',
      ' Other counters',
      '  memory',
    ]);
  });
});

describe('pinned tracks', () => {
  const lanes = (): Lanes =>
    new Lanes([CPU, GPU], {
      closed: new Set(),
      counters: COUNTERS,
      pinned: new Set(['track:2', 'counter:algo-1/cpu']),
    });

  test('are at the top with their whole title, and nowhere else', () => {
    const made = lanes();
    expect(made.pinned.map(({ title }) => title)).toEqual([
      'algo-1 › cpu',
      'algo-1 › GPU 0 › stream 7',
    ]);
    expect(titles(made)).not.toContain('  GPU 0, stream 7');
    expect(made.lanes[0]?.y).toBe(made.pinnedHeight);
    expect(made.pinnedHeight).toBeGreaterThan(0);
  });

  test('stay there when the others scroll', () => {
    const made = lanes();
    const [first, second] = made.pinned;
    made.scroll = 500;
    expect(first?.y).toBe(500);
    expect(second?.y).toBe(500 + (first?.height ?? 0));
    expect(made.at(501)?.lane).toBe(first);
    expect(made.at((second?.y ?? 0) + 1)).toEqual({ lane: second, row: 0 });
    expect(made.place(2, 0)?.y).toBe(second?.y);
  });

  test('a deep one leaves room for others', () => {
    const deep = new Lanes([trackOf(1, { depth: 90 })], {
      closed: new Set(),
      pinned: new Set(['track:1']),
    });
    expect(deep.pinned[0]?.rows).toBe(6);
  });
});

test('inOrder is the order on the screen', () => {
  expect(inOrder([CPU, OTHER, trackOf(4), GPU]).map(({ id }) => id)).toEqual([1, 4, 2, 3]);
});
