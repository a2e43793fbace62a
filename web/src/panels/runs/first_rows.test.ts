import { afterEach, describe, expect, test, vi } from 'vitest';
import { firstQuery, showsNewest, whenPainted } from './first_rows';

const params = (text: string): URLSearchParams => new URLSearchParams(text);

describe('the newest runs', () => {
  test.each(['', 'columns=status,param:lr'])('are enough to begin with: %s', (text) => {
    expect(showsNewest(params(text))).toBe(true);
    expect(firstQuery(params(text))).toEqual({ first: 200 });
  });

  test.each(['search=a', 'sort=-step', 'group=tags', 'plot=scatter', 'tags=a'])(
    'are not for %s',
    (text) => {
      expect(showsNewest(params(text))).toBe(false);
      expect(firstQuery(params(text))).toEqual({});
    },
  );

  test('are asked for without a selection, and stay while one is made', () => {
    expect(firstQuery(params('selected=a'))).toEqual({});
    expect(showsNewest(params('selected=a'))).toBe(true);
  });
});

describe('what follows the first rows', () => {
  const frames: (() => void)[] = [];
  const begin = (): [ReturnType<typeof vi.fn>, () => void] => {
    vi.useFakeTimers();
    frames.length = 0;
    vi.stubGlobal('window', { setTimeout });
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.splice(id - 1, 1));
    const called = vi.fn();
    return [called, whenPainted(called)];
  };

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('waits until they are painted', () => {
    const [called] = begin();
    vi.runAllTimers();
    expect(called).not.toHaveBeenCalled();
    frames.forEach((frame) => frame());
    expect(called).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(called).toHaveBeenCalledOnce();
  });

  test.each([0, 1])('can be given up, after %d frames', (painted) => {
    const [called, giveUp] = begin();
    if (painted) frames.forEach((frame) => frame());
    giveUp();
    frames.forEach((frame) => frame());
    vi.runAllTimers();
    expect(called).not.toHaveBeenCalled();
  });
});
