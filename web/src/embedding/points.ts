// Points of many dimensions, and what all layouts compute of them.

export interface Points {
  readonly rows: number;
  readonly columns: number;
  readonly values: ArrayLike<number>; // Row by row.
}

// Random numbers from 0 to below 1, the same ones every time (mulberry32).
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// The values with the mean of each column subtracted. NaN and infinite values count as the mean.
export function centered({ rows, columns, values }: Points): Float64Array {
  const sums = new Float64Array(columns);
  const counts = new Float64Array(columns);
  for (let row = 0, at = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column, ++at) {
      const value = values[at] ?? NaN;
      if (!Number.isFinite(value)) continue;
      sums[column] = (sums[column] ?? 0) + value;
      counts[column] = (counts[column] ?? 0) + 1;
    }
  const result = new Float64Array(rows * columns);
  for (let row = 0, at = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column, ++at) {
      const value = values[at] ?? NaN;
      const mean = (sums[column] ?? 0) / Math.max(1, counts[column] ?? 0);
      result[at] = Number.isFinite(value) ? value - mean : 0;
    }
  return result;
}

// Squared distances between all pairs of rows, one row at a time.
export class Distances {
  readonly squared: Float64Array; // rows × rows, symmetric.
  private readonly values: Float64Array;
  private row = 0;

  constructor(private readonly points: Points) {
    this.squared = new Float64Array(points.rows * points.rows);
    this.values = centered(points);
  }

  get done(): boolean {
    return this.row >= this.points.rows;
  }

  step(): void {
    const { rows, columns } = this.points;
    const { values, squared, row: i } = this;
    for (let j = i + 1; j < rows; ++j) {
      let sum = 0;
      for (let a = i * columns, b = j * columns, end = a + columns; a < end; ++a, ++b) {
        const difference = (values[a] ?? 0) - (values[b] ?? 0);
        sum += difference * difference;
      }
      squared[i * rows + j] = squared[j * rows + i] = sum;
    }
    ++this.row;
  }
}

export function squaredDistances(points: Points): Float64Array {
  const distances = new Distances(points);
  while (!distances.done) distances.step();
  return distances.squared;
}
