// The outline of a histogram, and its bins.

import type { Scale } from '../base/scale';
import type { Column } from './chart';
import { linePath } from './line_paths';

export interface Series {
  name: string;
  edges: Column;
  percents: Column;
  expected?: Column;
}

export function outline(series: Series, x: Scale, y: Scale): string {
  const number = (value: number): string => value.toFixed(1);
  let path = `M${number(x(series.edges[0] ?? 0))} ${number(y(0))}`;
  series.percents.forEach((percent, i) => {
    path += `V${number(y(percent ?? 0))}H${number(x(series.edges[i + 1] ?? 0))}`;
  });
  return `${path}V${number(y(0))}Z`;
}

// Through the centers of the bins.
export function expectation(series: Series, x: Scale, y: Scale): string {
  const middle = (i: number): number => ((series.edges[i] ?? 0) + (series.edges[i + 1] ?? 0)) / 2;
  return linePath(series.expected ?? [], (i) => x(middle(i)), y);
}

// -1: outside. A bin contains its lower edge.
export function binAt(series: Series, value: number): number {
  return series.percents.findIndex(
    (_, i) => value >= (series.edges[i] ?? Infinity) && value < (series.edges[i + 1] ?? -Infinity),
  );
}
