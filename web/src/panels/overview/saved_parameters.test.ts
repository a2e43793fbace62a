import { expect, test, vi } from 'vitest';
import { clientOf, columnsOf, tensorOf } from '../../api/runs_for_test';
import { parameterText, SavedParameters, savedParameters } from './saved_parameters';

const parameter = (name: string) =>
  tensorOf(`hyperparameters/${name}`, { collections: ['hyperparameters'], values: true, last: 40 });

test.each([
  [columnsOf({}, { values: Float64Array.of(Math.fround(0.3)) }), '0.3'],
  [columnsOf({}, { values: Float64Array.of(6) }), '6'],
  [columnsOf({ strings: ['binary:logistic'] }), 'binary:logistic'],
  [columnsOf({}, { values: Float64Array.of(1, 0.5) }), '1, 0.5'],
  [columnsOf({ strings: Array.from('abcdefghij') }), 'a, b, c, d, e, f, g, h, …'],
])('%#', (value, text) => {
  expect(parameterText(value)).toBe(text);
});

test('only those with values, of the collection', () => {
  const weight = tensorOf('weight', { collections: ['weights'], values: true });
  const reduced = { ...parameter('max_depth'), values: false };
  expect(savedParameters([weight, reduced, parameter('eta')]).map(({ name }) => name)).toEqual([
    'hyperparameters/eta',
  ]);
});

test('values are requested once, at the last step, and sorted by name', async () => {
  const { client, asked } = clientOf(() => ({
    ok: true,
    value: columnsOf({}, { values: Float64Array.of(Math.fround(0.3)) }),
  }));
  const changed = vi.fn();
  const parameters = new SavedParameters(client, 'r', changed);
  for (let i = 0; i < 2; ++i) {
    parameters.setTensors([parameter('lambda'), parameter('eta')]);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  }
  expect(Object.entries(changed.mock.calls[0]?.[0] as object)).toEqual([
    ['eta', '0.3'],
    ['lambda', '0.3'],
  ]);
  expect(asked).toHaveLength(2);
  expect(asked[0]?.options.query).toEqual({ tensor: 'hyperparameters/lambda', step: 40 });
});
