// UMAP (McInnes, Healy and Melville, 2018) with exact neighbors: for up to some thousand points.

import type { Stepwise } from './layout';
import { randomFrom } from './points';

const NEIGHBORS = 15;
const STEPS = 300;
const NEGATIVES = 5; // Points that each point is pushed away from, for each that it is pulled to.
// The curve 1 / (1 + A·d^2B) that fits a minimum distance of 0.1 and a spread of 1.
const A = 1.577;
const B = 0.8951;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly every: number; // Steps between its turns; strong edges have more of them.
  next: number;
}

// How strongly each row is connected with its nearest neighbors; the nearest one has 1.
function neighborStrengths(squared: Float64Array, rows: number): Map<number, number>[] {
  const count = Math.min(NEIGHBORS, rows - 1);
  return Array.from({ length: rows }, (_, row) => {
    const others = Array.from({ length: rows }, (_unused, i) => i).filter((i) => i !== row);
    const away = (i: number): number => Math.sqrt(squared[row * rows + i] ?? 0);
    const nearest = others.sort((a, b) => away(a) - away(b)).slice(0, count);
    const first = nearest.map(away).find((distance) => distance > 0) ?? 0;
    const target = Math.log2(count);
    let [low, high, width] = [0, Infinity, 1];
    const strength = (i: number): number => Math.exp(-Math.max(0, away(i) - first) / width);
    for (let round = 0; round < 64; ++round) {
      const sum = nearest.reduce((all, i) => all + strength(i), 0);
      if (Math.abs(sum - target) < 1e-5) break;
      if (sum > target) high = width;
      else low = width;
      width = high === Infinity ? width * 2 : (low + high) / 2;
    }
    return new Map(nearest.map((i) => [i, strength(i)]));
  });
}

// Undirected: connected if one of both is, by the sum of their probabilities.
function edgesOf(squared: Float64Array, rows: number): Edge[] {
  const strengths = neighborStrengths(squared, rows);
  const found: { from: number; to: number; weight: number }[] = [];
  strengths.forEach((of, from) => {
    for (const [to, one] of of) {
      const other = strengths[to]?.get(from) ?? 0;
      if (from < to || other === 0) found.push({ from, to, weight: one + other - one * other });
    }
  });
  const most = found.reduce((all, { weight }) => Math.max(all, weight), 0);
  return found
    .filter(({ weight }) => weight > most / STEPS)
    .map(({ from, to, weight }) => ({ from, to, every: most / weight, next: most / weight }));
}

const cut = (value: number): number => Math.max(-4, Math.min(4, value));

export class Umap implements Stepwise {
  readonly steps = STEPS;
  taken = 0;
  readonly places: Float64Array;
  private readonly edges: Edge[];
  private readonly random = randomFrom(11);

  // As for Tsne.
  constructor(
    squared: Float64Array,
    private readonly rows: number,
    start: ArrayLike<number>,
  ) {
    this.edges = edgesOf(squared, rows);
    let widest = 0;
    for (let i = 0; i < 2 * rows; ++i) widest = Math.max(widest, Math.abs(start[i] ?? 0));
    this.places = Float64Array.from(
      { length: 2 * rows },
      (_, i) => ((start[i] ?? 0) / (widest || 1)) * 10 + (this.random() - 0.5) * 1e-3,
    );
  }

  get done(): boolean {
    return this.taken >= STEPS;
  }

  step(): void {
    const rate = 1 - this.taken / STEPS;
    ++this.taken;
    for (const edge of this.edges) {
      if (edge.next > this.taken) continue;
      edge.next += edge.every;
      this.pull(edge.from, edge.to, rate);
      for (let i = 0; i < NEGATIVES; ++i) {
        this.push(edge.from, Math.floor(this.random() * this.rows), rate);
        this.push(edge.to, Math.floor(this.random() * this.rows), rate);
      }
    }
  }

  private squaredAway(a: number, b: number): number {
    const x = (this.places[2 * a] ?? 0) - (this.places[2 * b] ?? 0);
    const y = (this.places[2 * a + 1] ?? 0) - (this.places[2 * b + 1] ?? 0);
    return x * x + y * y;
  }

  private pull(a: number, b: number, rate: number): void {
    const away = this.squaredAway(a, b);
    if (away === 0) return;
    const force = (-2 * A * B * away ** (B - 1)) / (1 + A * away ** B);
    this.move(a, b, force, rate, true);
  }

  private push(a: number, b: number, rate: number): void {
    if (a === b) return;
    const away = this.squaredAway(a, b);
    const force = (2 * B) / ((0.001 + away) * (1 + A * away ** B));
    this.move(a, b, force, rate, false);
  }

  private move(a: number, b: number, force: number, rate: number, both: boolean): void {
    const { places } = this;
    for (let k = 0; k < 2; ++k) {
      const by = rate * cut(force * ((places[2 * a + k] ?? 0) - (places[2 * b + k] ?? 0)));
      places[2 * a + k] = (places[2 * a + k] ?? 0) + by;
      if (both) places[2 * b + k] = (places[2 * b + k] ?? 0) - by;
    }
  }
}
