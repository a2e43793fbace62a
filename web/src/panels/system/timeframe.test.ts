import { describe, expect, test } from 'vitest';
import { Timeframe } from './timeframe';

function frameOf(text: string, extent: [number, number] | null = [1000, 2000]): Timeframe {
  const frame = new Timeframe();
  frame.extent = extent;
  frame.read(new URLSearchParams(text));
  return frame;
}
const written = (frame: Timeframe, before = ''): string => {
  const params = new URLSearchParams(before);
  frame.write(params);
  return params.toString();
};

describe('reading', () => {
  test('everything', () => {
    const frame = frameOf('');
    expect(frame.range).toBeNull();
    expect(frame.shown).toEqual([1000, 2000]);
    expect(frame.isFixed).toBe(false);
  });

  test('a fixed range', () => {
    const frame = frameOf('from=1200&to=1300.5&last=60');
    expect(frame.range).toEqual([1200, 1300.5]);
    expect(frame.lastSeconds).toBeNull();
  });

  test('the last seconds follow the data', () => {
    const frame = frameOf('last=60');
    expect(frame.range).toEqual([1940, 2000]);
    frame.extent = [1000, 2500];
    expect(frame.range).toEqual([2440, 2500]);
  });

  test('a moment of a short run shows the run, not minutes around it', () => {
    expect(frameOf('at=1500').range).toEqual([1440, 1560]);
    expect(frameOf('at=1003', [1000, 1006]).range).toEqual([1000, 1006]);
    expect(frameOf('at=1990').range).toEqual([1930, 2000]);
    expect(frameOf('at=5000').range).toEqual([4940, 5060]);
    expect(written(frameOf('at=1003', [1000, 1006]), 'at=1003')).toBe('at=1003&from=1000&to=1006');
  });

  test('longer than the data is everything', () => {
    expect(frameOf('last=5000').range).toBeNull();
    expect(frameOf('last=60', null).shown).toBeNull();
  });

  test('a moment has a minute on each side, unless the link says more', () => {
    expect(frameOf('at=1500').range).toEqual([1440, 1560]);
    expect(frameOf('at=1500&from=1490&to=1510').range).toEqual([1490, 1510]);
  });

  test.each(['from=5', 'from=9&to=3', 'last=-5', 'last=0', 'last=x', 'at='])('%s', (text) => {
    expect(frameOf(text).range).toBeNull();
  });
});

describe('writing', () => {
  test.each(['', 'last=60', 'from=1200.125&to=1300'])('%j stays the same', (text) => {
    expect(written(frameOf(text))).toBe(text);
  });

  test('replaces what was there and keeps the rest', () => {
    expect(written(frameOf('last=60'), 'node=a&from=1&to=2')).toBe('node=a&last=60');
  });

  test('a moment goes away with its range', () => {
    const frame = frameOf('at=1500');
    expect(written(frame, 'at=1500')).toBe('at=1500&from=1440&to=1560');
    frame.showLast(null);
    expect(written(frame, 'at=1500')).toBe('');
  });
});

describe('changes', () => {
  test('a gesture fixes the range; null shows everything', () => {
    const frame = frameOf('last=60');
    frame.choose([1100, 1200]);
    expect(frame.range).toEqual([1100, 1200]);
    frame.choose(null);
    expect(frame.range).toBeNull();
    expect(frame.lastSeconds).toBeNull();
  });

  test('fixing keeps what is shown', () => {
    const frame = frameOf('last=60');
    frame.fix(true);
    frame.extent = [1000, 9000];
    expect(frame.range).toEqual([1940, 2000]);
  });

  test('releasing follows with the same length', () => {
    const frame = frameOf('from=1200&to=1300');
    frame.fix(false);
    expect(frame.range).toEqual([1900, 2000]);
    const all = frameOf('from=500&to=3000');
    all.fix(false);
    expect(all.range).toBeNull();
  });

  test('moving and zooming stay within the data', () => {
    const frame = frameOf('from=1200&to=1300');
    frame.move(1, 0.5);
    expect(frame.range).toEqual([1250, 1350]);
    frame.move(0.5, 0);
    expect(frame.range).toEqual([1275, 1325]);
    frame.move(1, -100);
    expect(frame.range).toEqual([1000, 1050]);
    frame.move(1e6, 0);
    expect(frame.range).toBeNull();
  });

  test('without data nothing moves', () => {
    const frame = frameOf('', null);
    frame.move(0.5, 0);
    expect(frame.range).toBeNull();
  });
});
