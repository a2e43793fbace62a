// The vertical axis of the layer profile.

import { linear, ticks } from '../../base/scale';

const DECADES = 15;

export interface Axis {
  place: (value: number) => number; // NaN: not measured.
  marks: number[];
}

// top, bottom: pixels.
export function profileAxis(values: Float32Array, log: boolean, top: number, bottom: number): Axis {
  const finite = [...values].filter((value) => Number.isFinite(value) && (!log || value > 0));
  let [low, high] = [
    finite.reduce((a, b) => Math.min(a, b), Infinity),
    finite.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  if (finite.length === 0) [low, high] = [log ? 0.1 : 0, 1];
  if (log) {
    const [foot, head] = [
      Math.floor(Math.max(Math.log10(low), Math.log10(high) - DECADES)),
      Math.ceil(Math.log10(high) + 1e-9),
    ];
    const scale = linear(foot, Math.max(head, foot + 1), bottom, top);
    const every = Math.max(1, Math.ceil((head - foot) / 6));
    const marks: number[] = [];
    for (let power = foot; power <= head; power += every) marks.push(10 ** power);
    // Zero is drawn at the bottom of a log scale.
    return {
      place: (value) =>
        !Number.isFinite(value)
          ? NaN
          : value > 0
            ? scale(Math.max(foot, Math.log10(value)))
            : bottom,
      marks,
    };
  }
  [low, high] = [Math.min(0, low), Math.max(0, high)];
  const scale = linear(low, high > low ? high : low + 1, bottom, top);
  return {
    place: (value) => (Number.isFinite(value) ? scale(value) : NaN),
    marks: ticks(low, high > low ? high : low + 1, 5),
  };
}
