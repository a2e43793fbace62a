import { describe, expect, test } from 'vitest';
import { busyOf } from './busy';
import { type Sent, tileOf, trackOf } from './model/tiles_for_test';

const GPU = trackOf(2, { device: 'GPU' });

describe('busyOf', () => {
  const busy = (sent: Sent[], tracks = [trackOf(1), GPU]) =>
    busyOf(tracks, () => tileOf(sent), 4, 400);

  test('shares of each pixel, by device', () => {
    const { cpu, gpu } = busy([
      { start: 0, duration: 150 },
      { start: 250, duration: 25 },
      { track: 2, start: 300, duration: 100 },
    ]);
    expect([...cpu]).toEqual([1, 0.5, 0.25, 0]);
    expect([...gpu]).toEqual([0, 0, 0, 1]);
  });

  test('the mean of several tracks', () => {
    const tracks = [trackOf(1), trackOf(3)];
    const { cpu } = busy(
      [
        { start: 0, duration: 400 },
        { track: 3, start: 0, duration: 100 },
      ],
      tracks,
    );
    expect([...cpu]).toEqual([1, 0.5, 0.5, 0.5]);
  });

  test('only the outermost events count', () => {
    const { cpu } = busy([
      { start: 0, duration: 100 },
      { depth: 1, start: 0, duration: 100 },
    ]);
    expect([...cpu]).toEqual([1, 0, 0, 0]);
  });

  test('what overlaps or lies outside', () => {
    const { cpu } = busy([
      { start: 0, duration: 200 },
      { start: 100, duration: 1e9 },
    ]);
    expect([...cpu]).toEqual([1, 1, 1, 1]);
  });

  test('nothing is loaded', () => {
    const { cpu } = busyOf([trackOf(1)], () => undefined, 3, 100);
    expect([...cpu]).toEqual([0, 0, 0]);
    expect(busyOf([], () => undefined, 0, 100).gpu).toHaveLength(0);
  });
});
