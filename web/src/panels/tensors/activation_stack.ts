// The activations of a network as a stack of planes: which tensors, what is requested of them, and
// how a point in space comes onto the screen.

import type { TensorInfo } from '../../api/types';

export const MOST_LAYERS = 20;
export const CELLS = 16; // At most so many rows and columns of cells on a plane.
const SIDE = 32; // At most so many rows and columns are requested,
const MOST_NUMBERS = 1 << 16; // and so many numbers of a layer.

// Outputs of layers with their values, one row for each sample of a batch.
export const isLayerOutput = ({ name, values, shape, collections }: TensorInfo): boolean =>
  values &&
  shape !== null &&
  shape.length >= 2 &&
  !/grad|label|target/i.test(name) &&
  !collections.some((one) => /^(weights|biases|gradients|losses|metrics)$/.test(one));

// In the order in which they were saved, which is that of the network; of many, evenly chosen ones.
// Those that share the most frequent size of a batch, so that one number names the same sample.
export function layersOf(all: readonly TensorInfo[]): TensorInfo[] {
  const outputs = all.filter(isLayerOutput);
  const sizes = new Map<number, number>();
  for (const { shape } of outputs) {
    const size = shape?.[0] ?? 0;
    sizes.set(size, (sizes.get(size) ?? 0) + 1);
  }
  const [batch = 0] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
  const same = outputs.filter(({ shape }) => shape?.[0] === batch);
  if (same.length <= MOST_LAYERS) return same;
  return Array.from(
    { length: MOST_LAYERS },
    (_, i) => same[Math.round((i * (same.length - 1)) / (MOST_LAYERS - 1))],
  ).filter((info) => info !== undefined);
}

// One sample of a layer, thinned out: every n-th row and column of a plane, every n-th channel.
export function sliceOfLayer(shape: readonly number[], sample: number): string {
  const [batch = 1, ...rest] = shape;
  const strides = rest.map(() => 1);
  const length = (axis: number): number => Math.ceil((rest[axis] ?? 1) / (strides[axis] ?? 1));
  // The last two axes are the plane; those of a vector are all of it.
  if (rest.length >= 2)
    for (const axis of [rest.length - 1, rest.length - 2])
      strides[axis] = Math.max(1, Math.ceil((rest[axis] ?? 1) / SIDE));
  for (let axis = 0; axis < rest.length; ++axis) {
    const total = rest.reduce((product, _, i) => product * length(i), 1);
    if (total > MOST_NUMBERS)
      strides[axis] = (strides[axis] ?? 1) * Math.ceil(total / MOST_NUMBERS);
  }
  const parts = rest.map((size, i) => `0:${size}:${strides[i] ?? 1}`);
  return [String(Math.min(sample, batch - 1)), ...parts].join(',');
}

export interface Plane {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

// What a plane shows of a sample: the mean over all axes but the last two; a vector is laid out in
// rows. At most CELLS × CELLS cells, each the mean of what it covers; NaN if nothing there is finite.
export function planeOf(shape: readonly number[], values: ArrayLike<number>): Plane {
  const count = shape.reduce((all, size) => all * size, 1);
  const flat = shape.length < 2;
  const width = flat ? Math.ceil(Math.sqrt(count)) : (shape.at(-1) ?? 1);
  const height = flat ? Math.ceil(count / Math.max(1, width)) : (shape.at(-2) ?? 1);
  const [rows, columns] = [Math.min(CELLS, height), Math.min(CELLS, width)];
  const sums = new Float64Array(rows * columns);
  const counts = new Float64Array(rows * columns);
  for (let i = 0; i < count; ++i) {
    const value = values[i] ?? NaN;
    if (!Number.isFinite(value)) continue;
    const inPlane = i % Math.max(1, width * height);
    const row = Math.floor((Math.floor(inPlane / width) * rows) / height);
    const column = Math.floor(((inPlane % width) * columns) / width);
    const cell = row * columns + column;
    sums[cell] = (sums[cell] ?? 0) + value;
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return { rows, columns, values: sums.map((sum, i) => sum / (counts[i] ?? 0)) };
}

export interface Camera {
  readonly turn: number; // Radians around the vertical axis,
  readonly tilt: number; // and up or down.
}

export const START: Camera = { turn: -0.75, tilt: 0.35 };

export const turned = ({ turn, tilt }: Camera, right: number, up: number): Camera => ({
  turn: turn + right,
  tilt: Math.max(-1.5, Math.min(1.5, tilt + up)),
});

// x: right, y: up, z: away from the viewer, each from about -1 to 1. depth: larger is farther.
export function project(
  { turn, tilt }: Camera,
  x: number,
  y: number,
  z: number,
): { x: number; y: number; depth: number } {
  const [ct, st, cu, su] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  const right = x * ct - z * st;
  const back = x * st + z * ct;
  const high = y * cu + back * su;
  const depth = back * cu - y * su;
  const size = 4 / (4 + depth); // A little perspective.
  return { x: right * size, y: high * size, depth };
}
