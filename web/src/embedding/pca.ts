// Principal components: the directions in which points vary most.

import { centered, type Points, randomFrom } from './points';

const MOST_ROUNDS = 40; // Enough for a picture; directions of nearly equal variance may stay mixed.
const CLOSE = 1e-8;

export interface Components {
  readonly scores: Float64Array; // rows × count: each row in the new coordinates.
  readonly shares: readonly number[]; // Of the variance, by component; they add up to at most 1.
}

function normalize(vector: Float64Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0) for (let i = 0; i < vector.length; ++i) vector[i] = (vector[i] ?? 0) / length;
  return length;
}

// values · vector, by row.
function project(values: Float64Array, vector: Float64Array, into: Float64Array): void {
  const columns = vector.length;
  for (let row = 0, at = 0; row < into.length; ++row) {
    let sum = 0;
    for (let column = 0; column < columns; ++column, ++at)
      sum += (values[at] ?? 0) * (vector[column] ?? 0);
    into[row] = sum;
  }
}

// The component with the most variance that is orthogonal to those found, by power iteration.
function nextComponent(
  values: Float64Array,
  rows: number,
  columns: number,
  found: readonly Float64Array[],
): Float64Array {
  const random = randomFrom(found.length + 1);
  let vector = Float64Array.from({ length: columns }, () => random() - 0.5);
  const scores = new Float64Array(rows);
  for (let round = 0; round < MOST_ROUNDS; ++round) {
    normalize(vector);
    project(values, vector, scores);
    const next = new Float64Array(columns);
    for (let row = 0, at = 0; row < rows; ++row) {
      const score = scores[row] ?? 0;
      for (let column = 0; column < columns; ++column, ++at)
        next[column] = (next[column] ?? 0) + score * (values[at] ?? 0);
    }
    for (const other of found) {
      let along = 0;
      for (let i = 0; i < columns; ++i) along += (next[i] ?? 0) * (other[i] ?? 0);
      for (let i = 0; i < columns; ++i) next[i] = (next[i] ?? 0) - along * (other[i] ?? 0);
    }
    if (normalize(next) === 0) return new Float64Array(columns);
    let same = 0;
    for (let i = 0; i < columns; ++i) same += (next[i] ?? 0) * (vector[i] ?? 0);
    vector = next;
    if (1 - Math.abs(same) < CLOSE) break;
  }
  return vector;
}

export function principalComponents(points: Points, count: number): Components {
  const { rows, columns } = points;
  const values = centered(points);
  let total = 0;
  for (const value of values) total += value * value;
  const scores = new Float64Array(rows * count);
  const found: Float64Array[] = [];
  const shares: number[] = [];
  const along = new Float64Array(rows);
  for (let k = 0; k < count; ++k) {
    const vector = nextComponent(values, rows, columns, found);
    found.push(vector);
    project(values, vector, along);
    let part = 0;
    along.forEach((score, row) => {
      scores[row * count + k] = score;
      part += score * score;
    });
    shares.push(total > 0 ? part / total : 0);
  }
  return { scores, shares };
}
