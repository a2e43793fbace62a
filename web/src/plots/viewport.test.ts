import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Asked, Viewport, type ViewportOptions } from './viewport';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function viewportOf(options: Partial<ViewportOptions<string>> = {}) {
  const asked: Asked[] = [];
  const signals: AbortSignal[] = [];
  const shown: string[] = [];
  const viewport = new Viewport<string>({
    ask: (question, signal) => {
      asked.push(question);
      signals.push(signal);
      return Promise.resolve(`answer ${asked.length}`);
    },
    show: (answer) => shown.push(answer),
    pixels: () => 1000,
    ...options,
  });
  return { viewport, asked, signals, shown };
}

describe('Viewport', () => {
  test('everything first', async () => {
    const { viewport, asked, shown } = viewportOf();
    viewport.look(null, true);
    await vi.runAllTimersAsync();
    expect(asked).toEqual([{ from: undefined, to: undefined, points: 1000 }]);
    expect(shown).toEqual(['answer 1']);
  });

  test('a window with a margin on both sides', async () => {
    const { viewport, asked } = viewportOf();
    viewport.look([10, 20], true);
    await vi.runAllTimersAsync();
    expect(asked).toEqual([{ from: 0, to: 30, points: 3000 }]);
  });

  test('moving within the margin asks nothing; leaving it does', async () => {
    const { viewport, asked } = viewportOf();
    viewport.look([10, 20], true);
    await vi.runAllTimersAsync();
    viewport.look([15, 25], true);
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(1);
    viewport.look([25, 35], true);
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(2);
  });

  test('zooming in asks for finer points, zooming out within the margin does not', async () => {
    const { viewport, asked } = viewportOf();
    viewport.look([10, 20], true);
    await vi.runAllTimersAsync();
    viewport.look([5, 25], true);
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(1);
    viewport.look([14, 16], true);
    await vi.runAllTimersAsync();
    expect(asked.at(-1)).toEqual({ from: 12, to: 18, points: 3000 });
  });

  test('while the reader moves, only the last window is requested', async () => {
    const { viewport, asked } = viewportOf();
    for (let i = 0; i < 20; ++i) {
      viewport.look([100 + i * 50, 110 + i * 50], false);
      vi.advanceTimersByTime(10);
    }
    expect(asked).toHaveLength(0);
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.from).toBe(1040);
  });

  test('a newer request aborts the one before, whose answer is not shown', async () => {
    const waiting: ((answer: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    const { viewport, shown } = viewportOf({
      ask: (_, signal) => {
        signals.push(signal);
        return new Promise((resolve) => waiting.push(resolve));
      },
    });
    viewport.look([0, 1], true);
    await vi.runAllTimersAsync();
    viewport.look([100, 101], true);
    await vi.runAllTimersAsync();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    waiting[1]?.('second');
    waiting[0]?.('first');
    await vi.runAllTimersAsync();
    expect(shown).toEqual(['second']);
  });

  test('the coarse whole is shown where no finer answer reaches', async () => {
    const { viewport, shown } = viewportOf();
    viewport.look(null, true);
    await vi.runAllTimersAsync();
    viewport.look([10, 20], true);
    await vi.runAllTimersAsync();
    viewport.look([500, 510], false);
    expect(shown).toEqual(['answer 1', 'answer 2', 'answer 1']);
    await vi.runAllTimersAsync();
    expect(shown.at(-1)).toBe('answer 3');
  });

  test('refresh asks again, also for the same window', async () => {
    const { viewport, asked } = viewportOf();
    viewport.look(null, true);
    await vi.runAllTimersAsync();
    viewport.refresh();
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(2);
  });

  test('a failed request is not shown, and is asked again on the next move', async () => {
    const ask = vi.fn<ViewportOptions<string>['ask']>(() => Promise.resolve(null));
    const { viewport, shown } = viewportOf({ ask });
    viewport.look(null, true);
    await vi.runAllTimersAsync();
    viewport.look(null, true);
    await vi.runAllTimersAsync();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(shown).toEqual([]);
  });

  test('the number of points has limits', async () => {
    const narrow = viewportOf({ pixels: () => 0 });
    narrow.viewport.look(null, true);
    const wide = viewportOf({ pixels: () => 1e6, most: 1500 });
    wide.viewport.look([0, 1], true);
    const half = viewportOf({ perPixel: 0.5 });
    half.viewport.look(null, true);
    await vi.runAllTimersAsync();
    expect([narrow, wide, half].map(({ asked }) => asked[0]?.points)).toEqual([50, 1500, 500]);
  });

  test('nothing after close', async () => {
    const { viewport, asked, signals, shown } = viewportOf();
    viewport.look(null, true);
    await vi.advanceTimersByTimeAsync(0);
    viewport.close();
    viewport.refresh();
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(shown).toEqual(['answer 1']);
  });
});
