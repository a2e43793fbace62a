import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../api/client';
import { clientOf, columnsOf } from '../../api/runs_for_test';
import { Blocks } from './blocks';
import type { Desk } from './state';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function blocksOf(parts: string[], shape: number[], answer: () => Answer<unknown>) {
  const { client, asked } = clientOf(answer);
  const announce = vi.fn();
  const desk = { run: 'r', state: () => ({ mode: 'GLOBAL', worker: '' }), announce } as unknown;
  const came = vi.fn();
  const blocks = new Blocks(client, desk as Desk, 't', 7, parts, shape, came);
  const slices = (): unknown[] => asked.map(({ options }) => options.query?.['slice']);
  return { blocks, slices, came, announce };
}

const values = (length: number) => (): Answer<unknown> => ({
  ok: true,
  value: columnsOf({}, { values: Float64Array.from({ length }, (_, i) => i) }),
});

describe('Blocks', () => {
  test('a cell is requested with its block, together with others', async () => {
    const { blocks, slices, came } = blocksOf([':', ':'], [1000, 250], values(20_000));
    expect(blocks.at(0, 0)).toBeUndefined();
    expect(blocks.at(199, 99)).toBeUndefined();
    expect(blocks.at(200, 100)).toBeUndefined();
    await vi.runAllTimersAsync();
    expect(slices()).toEqual(['0:200:1,0:100:1', '200:400:1,100:200:1']);
    expect(came).toHaveBeenCalledTimes(2);
    expect(blocks.at(1, 2)).toBe(102);
    expect(blocks.at(201, 102)).toBe(102);
  });

  test('the last block is narrower', async () => {
    const { blocks, slices } = blocksOf([':', ':'], [10, 250], values(500));
    blocks.at(0, 249);
    await vi.runAllTimersAsync();
    expect(slices()).toEqual(['0:10:1,200:250:1']);
    expect(blocks.at(2, 201)).toBe(101);
  });

  test('axes that are not shown, and steps', async () => {
    const { blocks, slices } = blocksOf(['3', '10:900:3', ':'], [5, 1000, 4], values(4));
    expect(blocks.rows).toMatchObject({ start: 10, step: 3 });
    blocks.at(200, 0);
    await vi.runAllTimersAsync();
    expect(slices()).toEqual(['3,610:899:3,0:4:1']);
  });

  test('backward to the very first', async () => {
    const { blocks, slices } = blocksOf(['::-1'], [300], values(100));
    expect(blocks.columns).toBeNull();
    blocks.at(299, 0);
    await vi.runAllTimersAsync();
    expect(slices()).toEqual(['99::-1']);
  });

  test('what is only scrolled past is not requested', async () => {
    const { blocks, slices } = blocksOf([':', ':'], [100_000, 10], values(2000));
    for (let row = 0; row < 100_000; row += 1000) {
      blocks.at(row, 0);
      vi.advanceTimersByTime(10);
    }
    await vi.runAllTimersAsync();
    expect(slices()).toHaveLength(6);
    expect(slices().at(-1)).toBe('99000:99200:1,0:10:1');
  });

  test('a block that failed is not asked for again', async () => {
    const refusal: Answer<unknown> = { ok: false, error: { status: 500, message: 'no' } };
    const { blocks, slices, announce } = blocksOf([':'], [500], () => refusal);
    blocks.at(0, 0);
    await vi.runAllTimersAsync();
    expect(blocks.at(0, 0)).toBe('–');
    await vi.runAllTimersAsync();
    expect(slices()).toHaveLength(1);
    expect(announce).toHaveBeenCalledWith('no', 'warning');
  });

  test('nothing after close', async () => {
    const { blocks, slices } = blocksOf([':'], [500], values(200));
    blocks.at(0, 0);
    blocks.close();
    await vi.runAllTimersAsync();
    expect(slices()).toEqual([]);
  });
});
