// t-SNE (van der Maaten and Hinton, 2008), exact: for up to some thousand points.

import type { Stepwise } from './layout';
import { randomFrom } from './points';

const EXAGGERATED = 150; // Steps in which neighbors attract each other more, so that clusters form.
const STEPS = 600;
const EXAGGERATION = 12;
const RATE = 50;

// The width of the Gaussian around each point is chosen so that it has so many neighbors.
export const perplexityFor = (rows: number): number => Math.max(1, Math.min(30, (rows - 1) / 3));

// Probabilities that i would choose j as its neighbor; each row adds up to 1.
export function neighborChances(
  squared: Float64Array,
  rows: number,
  perplexity: number,
): Float64Array {
  const chances = new Float64Array(rows * rows);
  const target = Math.log(perplexity);
  for (let i = 0; i < rows; ++i) {
    const row = squared.subarray(i * rows, (i + 1) * rows);
    let nearest = Infinity;
    row.forEach((distance, j) => {
      if (j !== i) nearest = Math.min(nearest, distance);
    });
    let [low, high, beta] = [0, Infinity, 1];
    for (let round = 0; round < 64; ++round) {
      let sum = 0;
      let weighted = 0;
      for (let j = 0; j < rows; ++j) {
        if (j === i) continue;
        const away = (row[j] ?? 0) - nearest;
        const weight = Math.exp(-away * beta);
        chances[i * rows + j] = weight;
        sum += weight;
        weighted += away * weight;
      }
      const entropy = Math.log(sum) + (beta * weighted) / sum;
      for (let j = 0; j < rows; ++j)
        chances[i * rows + j] = j === i ? 0 : (chances[i * rows + j] ?? 0) / sum;
      if (Math.abs(entropy - target) < 1e-5) break;
      if (entropy > target) low = beta;
      else high = beta;
      beta = high === Infinity ? beta * 2 : (low + high) / 2;
    }
  }
  return chances;
}

export class Tsne implements Stepwise {
  readonly steps = STEPS;
  taken = 0;
  readonly places: Float64Array;
  private readonly joint: Float64Array;
  private readonly near: Float64Array; // 1 / (1 + distance²) on the plane.
  private readonly speed: Float64Array;
  private readonly gains: Float64Array;

  // squared: distances between all pairs. start: two numbers for each row, of any size.
  constructor(
    squared: Float64Array,
    private readonly rows: number,
    start: ArrayLike<number>,
  ) {
    const chances = neighborChances(squared, rows, perplexityFor(rows));
    this.joint = new Float64Array(rows * rows);
    for (let i = 0; i < rows; ++i)
      for (let j = 0; j < rows; ++j) {
        const both = (chances[i * rows + j] ?? 0) + (chances[j * rows + i] ?? 0);
        this.joint[i * rows + j] = Math.max(both / (2 * rows), 1e-12);
      }
    let widest = 0;
    for (let i = 0; i < 2 * rows; ++i) widest = Math.max(widest, Math.abs(start[i] ?? 0));
    const random = randomFrom(7);
    this.places = Float64Array.from(
      { length: 2 * rows },
      (_, i) => ((start[i] ?? 0) / (widest || 1)) * 1e-2 + (random() - 0.5) * 1e-4,
    );
    this.near = new Float64Array(rows * rows);
    this.speed = new Float64Array(2 * rows);
    this.gains = new Float64Array(2 * rows).fill(1);
  }

  get done(): boolean {
    return this.taken >= STEPS;
  }

  step(): void {
    const { rows, places, near, joint } = this;
    let total = 0;
    for (let i = 0; i < rows; ++i)
      for (let j = i + 1; j < rows; ++j) {
        const x = (places[2 * i] ?? 0) - (places[2 * j] ?? 0);
        const y = (places[2 * i + 1] ?? 0) - (places[2 * j + 1] ?? 0);
        const value = 1 / (1 + x * x + y * y);
        near[i * rows + j] = value;
        total += 2 * value;
      }
    const early = this.taken < EXAGGERATED;
    const stronger = early ? EXAGGERATION : 1;
    const slope = new Float64Array(2 * rows);
    for (let i = 0; i < rows; ++i)
      for (let j = i + 1; j < rows; ++j) {
        const value = near[i * rows + j] ?? 0;
        const pull = 4 * (stronger * (joint[i * rows + j] ?? 0) - value / total) * value;
        for (let k = 0; k < 2; ++k) {
          const force = pull * ((places[2 * i + k] ?? 0) - (places[2 * j + k] ?? 0));
          slope[2 * i + k] = (slope[2 * i + k] ?? 0) + force;
          slope[2 * j + k] = (slope[2 * j + k] ?? 0) - force;
        }
      }
    this.move(slope, early ? 0.5 : 0.8);
    ++this.taken;
  }

  private move(slope: Float64Array, momentum: number): void {
    const { speed, gains, places } = this;
    slope.forEach((down, i) => {
      const before = speed[i] ?? 0;
      const gain = gains[i] ?? 1;
      gains[i] = Math.max(0.01, Math.sign(down) === Math.sign(before) ? gain * 0.8 : gain + 0.2);
      speed[i] = momentum * before - RATE * (gains[i] ?? 1) * down;
      places[i] = (places[i] ?? 0) + (speed[i] ?? 0);
    });
  }
}
