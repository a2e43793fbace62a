import { describe, expect, test } from 'vitest';
import type { ChartSection } from '../common/chart_groups';
import {
  type Arrangement,
  arranged,
  moved,
  parseArrangement,
  PINNED,
  readPins,
  togglePin,
  writePins,
} from './arrangement';

const sectionOf = (key: string, ...charts: string[]): ChartSection => ({
  key,
  title: key,
  open: true,
  charts: charts.map((one) => ({ key: one, label: one, series: [] })),
});
const sections = [sectionOf('', 'loss', 'accuracy', 'f1'), sectionOf('optim', 'optim/lr')];
const none: Arrangement = { pinned: [], order: {} };
const shown = (arrangement: Arrangement): [string, string[]][] =>
  arranged(sections, arrangement).map(({ key, charts }) => [key, charts.map((one) => one.key)]);

describe('arranged', () => {
  test('nothing was moved', () => {
    expect(shown(none)).toEqual([
      ['', ['loss', 'accuracy', 'f1']],
      ['optim', ['optim/lr']],
    ]);
  });

  test('pinned charts are on top, in the order of their pins, and nowhere else', () => {
    expect(shown({ pinned: ['optim/lr', 'of another run', 'loss'], order: {} })).toEqual([
      [PINNED, ['optim/lr', 'loss']],
      ['', ['accuracy', 'f1']],
    ]);
  });

  test('new charts come after those that were moved', () => {
    expect(shown({ pinned: [], order: { '': ['f1', 'gone'] } })[0]).toEqual([
      '',
      ['f1', 'loss', 'accuracy'],
    ]);
  });
});

describe('moved', () => {
  const keys = ['loss', 'accuracy', 'f1'];
  test.each([
    ['f1', 0, ['f1', 'loss', 'accuracy']],
    ['loss', 1, ['accuracy', 'loss', 'f1']],
    ['loss', 2, ['accuracy', 'f1', 'loss']],
  ])('%s to %i', (key, to, order) => {
    const next = moved(none, '', keys, key, to);
    expect(next).toEqual({ pinned: [], order: { '': order } });
    expect(shown(next)[0]).toEqual(['', order]);
  });

  test('among pins, those of other runs stay', () => {
    const before = { pinned: ['a', 'loss', 'f1'], order: {} };
    expect(moved(before, PINNED, ['loss', 'f1'], 'f1', 0).pinned).toEqual(['f1', 'loss', 'a']);
  });
});

test('togglePin', () => {
  const once = togglePin(none, 'loss');
  expect(once.pinned).toEqual(['loss']);
  expect(togglePin(togglePin(once, 'f1'), 'loss').pinned).toEqual(['f1']);
});

describe('in the URL', () => {
  const again = (pins: string[]): string[] | null => {
    const params = new URLSearchParams('x=time');
    writePins(pins, params);
    expect(params.get('x')).toBe('time');
    return readPins(new URLSearchParams(params.toString()));
  };
  test.each([[['loss', 'a,b & c']], [['loss']], [[]]])('%j', (pins) => {
    expect(again(pins)).toEqual(pins);
  });
  test('nothing is said about pins', () => {
    expect(readPins(new URLSearchParams('x=time'))).toBeNull();
  });
});

test.each([null, '', '7', 'null', '[]', '{"pinned":7,"order":{"":[1]}}'])(
  'what is remembered as %j is nothing',
  (text) => {
    expect(parseArrangement(text)).toEqual(none);
  },
);
