// A tensor of the list, for tests.

import type { TensorInfo } from '../../api/types';

export const tensor = (
  name: string,
  shape: number[],
  more: Partial<TensorInfo> = {},
): TensorInfo => ({
  name,
  dtype: 'float32',
  shape,
  collections: [],
  modes: ['TRAIN'],
  steps: 1,
  first: 0,
  last: 0,
  values: true,
  statistics: [],
  ...more,
});
