import { describe, expect, test } from 'vitest';
import { type Area, type Cells, columnAt, columnEnd, paintCells, shadesOf } from './heat_paint';
import { BROKEN, makeRamp, shadeOf } from './ramp';

const RAMP = makeRamp('sequential', [0, 1], false);
const [LOW, HIGH] = [shadeOf(RAMP, 0), shadeOf(RAMP, 1)];
const GROUND = 0x12345678;

const cellsOf = (x: number[], rows: number[][]): Cells => ({
  x,
  values: Float32Array.from(rows.flat()),
  rows: rows.length,
});

function painted(cells: Cells, area: Partial<Area>, window: [number, number]): number[][] {
  const whole = { width: 4, height: 2, from: 0, to: 2, gap: 0, ground: GROUND, ...area };
  const pixels = paintCells(cells, shadesOf(cells, RAMP), window, RAMP, whole);
  const lines: number[][] = [];
  for (let i = 0; i < pixels.length; i += whole.width)
    lines.push([...pixels.slice(i, i + whole.width)]);
  return lines;
}

describe('columns', () => {
  const cells = cellsOf([10, 20, 40], [[0, 0, 0]]);

  test.each([
    [9.9, -1],
    [10, 0],
    [19.9, 0],
    [20, 1],
    [59.9, 2],
    [60, -1],
    [NaN, -1],
  ])('at %f: %i', (at, column) => {
    expect(columnAt(cells, at)).toBe(column);
  });

  test('the last is as wide as the one before it; a single one is one wide', () => {
    expect([0, 1, 2].map((column) => columnEnd(cells, column))).toEqual([20, 40, 60]);
    expect(columnEnd(cellsOf([7], [[0]]), 0)).toBe(8);
  });

  test('nothing', () => {
    expect(columnAt(cellsOf([], []), 5)).toBe(-1);
  });
});

describe('shadesOf', () => {
  test('infinities of both signs are broken, NaN is a hole', () => {
    const [low, hole, more, less] = shadesOf(
      cellsOf([0], [[0], [NaN], [Infinity], [-Infinity]]),
      RAMP,
    );
    expect([low, more, less]).toEqual([LOW, BROKEN, BROKEN]);
    expect([LOW, HIGH, BROKEN]).not.toContain(hole);
  });

  test.each(['diverging', 'log'] as const)('also on a %s ramp', (kind) => {
    const cells = cellsOf([0], [[Infinity], [-Infinity]]);
    expect([...shadesOf(cells, makeRamp(kind, [1, 2], true))]).toEqual([BROKEN, BROKEN]);
  });
});

describe('paintCells', () => {
  test('a pixel shows one cell', () => {
    const cells = cellsOf(
      [0, 1],
      [
        [0, 1],
        [1, 0],
      ],
    );
    expect(painted(cells, {}, [0, 2])).toEqual([
      [LOW, LOW, HIGH, HIGH],
      [HIGH, HIGH, LOW, LOW],
    ]);
  });

  test('beyond the columns is the ground', () => {
    const cells = cellsOf([0, 1], [[0, 1]]);
    expect(painted(cells, { height: 1, to: 1 }, [-1, 3])).toEqual([[GROUND, LOW, HIGH, GROUND]]);
  });

  test('only the asked lines', () => {
    const cells = cellsOf([0], [[0], [1]]);
    const lines = painted(cells, { width: 1, height: 8, from: 3, to: 6 }, [0, 1]);
    expect(lines).toEqual([[LOW], [HIGH], [HIGH]]);
  });

  test('rows below a pixel share it: the value farthest from zero counts', () => {
    const cells = cellsOf([0], [[0.2], [1], [NaN], [0]]);
    expect(painted(cells, { width: 1, height: 1, to: 1 }, [0, 1])).toEqual([[HIGH]]);
  });

  test('gaps between high rows', () => {
    const cells = cellsOf([0], [[0], [1]]);
    const lines = painted(cells, { width: 1, height: 10, to: 10, gap: 1 }, [0, 1]).flat();
    expect(lines).toEqual([LOW, LOW, LOW, LOW, GROUND, HIGH, HIGH, HIGH, HIGH, GROUND]);
  });

  test('holes are hatched', () => {
    const pixels = painted(cellsOf([0], [[NaN]]), { width: 12, height: 6, to: 6 }, [0, 1]).flat();
    expect(new Set(pixels).size).toBe(2);
  });
});
