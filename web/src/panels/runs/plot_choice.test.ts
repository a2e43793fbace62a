import { expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import { catalogueOf, listedRun } from './fields';
import { parallelAxes, readPlot, tellingColumns, writePlot } from './plot_choice';

const RUNS = ['0.1', '0.2'].map((lr, i) =>
  listedRun(runOf({ id: lr, tags: {} }), {
    hyper_parameters: { epochs: '3', lr, seed: String(i) },
    scalars: { grad: [1, 1, 1, 1, 1, 1], 'val/loss': [1, 1, 1, 1, 1, 1] },
  }),
);
const CATALOGUE = catalogueOf(RUNS);

test('what is chosen is in the URL', () => {
  const params = new URLSearchParams('search=x');
  const choice = { kind: 'scatter', x: 'param:lr', y: 'last:val%2Floss', color: '' } as const;
  writePlot(params, choice);
  expect(readPlot(new URLSearchParams(params.toString()))).toEqual(choice);
  writePlot(params, { kind: '', x: '', y: '', color: '' });
  expect(params.toString()).toBe('search=x');
});

test('what cannot be drawn is not read', () => {
  const read = readPlot(new URLSearchParams('plot=pie&px=tags&py=nothing&pc=step'));
  expect(read).toEqual({ kind: '', x: '', y: '', color: 'step' });
});

test('hyperparameters that differ, then losses before other scalars', () => {
  expect(tellingColumns(CATALOGUE, RUNS)).toEqual([
    ...['param:lr', 'param:seed', 'last:val%2Floss', 'last:grad'],
  ]);
});

test('axes are the shown columns, if there are two', () => {
  expect(parallelAxes(['status', 'param:lr', 'max:grad'], CATALOGUE, RUNS)).toEqual([
    ...['param:lr', 'max:grad'],
  ]);
  expect(parallelAxes(['status', 'param:epochs'], CATALOGUE, RUNS)).toHaveLength(4);
  const bare = listedRun(runOf({ hyper_parameters: {} }));
  expect(parallelAxes([], catalogueOf([bare]), [bare])).toEqual(['duration', 'step']);
});
