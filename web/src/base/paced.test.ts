import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Paced } from './paced';

describe('Paced', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the first call comes at once, even right after the page opened', () => {
    const act = vi.fn();
    new Paced(act, 1000).tell();
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test('many events in a pause are one call', () => {
    const act = vi.fn();
    const paced = new Paced(act, 1000);
    paced.tell();
    vi.advanceTimersByTime(1);
    for (let i = 0; i < 50; ++i) paced.tell();
    vi.advanceTimersByTime(998);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2);
    expect(act).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5000);
    expect(act).toHaveBeenCalledTimes(2);
  });

  test('stop drops what is waiting; tell starts it again', () => {
    const act = vi.fn();
    const paced = new Paced(act, 1000);
    paced.tell();
    paced.stop();
    vi.advanceTimersByTime(5000);
    expect(act).not.toHaveBeenCalled();
    paced.tell();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test('an event during the call leads to another one', () => {
    const act = vi.fn(() => {
      if (act.mock.calls.length === 1) paced.tell();
    });
    const paced = new Paced(act, 100);
    paced.tell();
    vi.advanceTimersByTime(200);
    expect(act).toHaveBeenCalledTimes(2);
  });
});
