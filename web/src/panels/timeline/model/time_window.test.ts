import { describe, expect, test, vi } from 'vitest';
import { TimeWindow } from './time_window';

function windowOf(end = 1000, from = 0, to = end) {
  const moved = vi.fn();
  const window = new TimeWindow(moved);
  window.setEnd(end);
  window.show(from, to);
  return { window, moved };
}
const shown = ({ from, to }: TimeWindow): number[] => [from, to];
const reduced = (matches: boolean): void => {
  vi.stubGlobal('matchMedia', () => ({ matches }));
};

describe('show', () => {
  test('a part', () => {
    const { window, moved } = windowOf(1000, 100, 200);
    expect(shown(window)).toEqual([100, 200]);
    expect(window.span).toBe(100);
    expect(moved).toHaveBeenCalledTimes(1);
  });

  test('a little may be empty at the ends, not more', () => {
    const { window } = windowOf();
    window.show(-500, -400);
    expect(shown(window)).toEqual([-2, 98]);
    window.show(5000, 5100);
    expect(shown(window)).toEqual([902, 1002]);
    window.show(-1e9, 1e9);
    expect(window.span).toBeCloseTo(1040);
  });

  test('not closer than a tenth of a microsecond', () => {
    const { window } = windowOf();
    window.show(500, 500.0001);
    expect(window.span).toBeCloseTo(0.1);
    expect((window.from + window.to) / 2).toBeCloseTo(500);
  });

  test.each([
    [5, 5],
    [9, 3],
    [NaN, 3],
    [0, Infinity],
  ])('%f to %f is everything', (from, to) => {
    const { window } = windowOf(1000, 100, 200);
    window.show(from, to);
    expect(shown(window)).toEqual([0, 1000]);
  });

  test('an empty timeline has some length', () => {
    const { window } = windowOf(0);
    expect(window.all[1]).toBeGreaterThan(0);
    expect(window.span).toBeGreaterThan(0);
  });
});

describe('zoomed and panned', () => {
  test('the time under the pointer stays', () => {
    const { window } = windowOf(1000, 100, 200);
    expect(window.zoomed(0.5)).toEqual([125, 175]);
    expect(window.zoomed(0.5, 0)).toEqual([100, 150]);
    expect(window.zoomed(2, 1)).toEqual([0, 200]);
  });

  test('by a share of the window', () => {
    const { window } = windowOf(1000, 100, 200);
    expect(window.panned(0.2)).toEqual([120, 220]);
    expect(window.panned(-1)).toEqual([0, 100]);
  });
});

describe('glideTo', () => {
  test('moves in a moment, and ends exactly', () => {
    reduced(false);
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    const { window } = windowOf(1000, 0, 100);
    window.glideTo(200, 300);
    expect(shown(window)).toEqual([0, 100]);
    expect(window.aim).toEqual([200, 300]);
    window.advance(1070);
    expect(window.from).toBeGreaterThan(100);
    expect(window.from).toBeLessThan(200);
    window.advance(1140);
    expect(shown(window)).toEqual([200, 300]);
    expect(window.gliding).toBe(false);
    window.advance(5000);
    expect(shown(window)).toEqual([200, 300]);
  });

  test('keys pressed during the movement continue from its end', () => {
    reduced(false);
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    const { window } = windowOf(1000, 0, 100);
    window.glideTo(200, 300);
    expect(window.panned(1)).toEqual([300, 400]);
  });

  test('a clock that runs backward does no harm', () => {
    reduced(false);
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    const { window } = windowOf(1000, 0, 100);
    window.glideTo(200, 300);
    window.advance(900);
    expect(shown(window)).toEqual([0, 100]);
  });

  test('at once for readers who prefer it, and by hand', () => {
    reduced(true);
    const { window } = windowOf(1000, 0, 100);
    window.glideTo(200, 300);
    expect(shown(window)).toEqual([200, 300]);
    expect(window.gliding).toBe(false);
  });
});
