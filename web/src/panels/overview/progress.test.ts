import { describe, expect, test } from 'vitest';
import { detailOf } from '../../api/runs_for_test';
import type { RunDetail } from '../../api/types';
import { facts, phaseSpans } from './progress';

const NOW = 1000;
const factsOf = (changes: Partial<RunDetail>): Record<string, string> =>
  Object.fromEntries(facts(detailOf(changes), NOW).map(([name, value]) => [name, value]));
const progressOf = (changes: Partial<RunDetail['progress']>): Partial<RunDetail> => ({
  status: 'InProgress',
  ended: null,
  progress: { ...detailOf().progress, ...changes },
});

describe('facts', () => {
  test('a run that ended', () => {
    expect(factsOf({})).toEqual({
      Step: '500',
      Duration: '1:30',
      Started: '15 minutes ago',
      Host: 'algo-1',
    });
  });

  test('a run that trains', () => {
    expect(factsOf(progressOf({ rate: 2, expected: 10000, last_time: 990 }))).toMatchObject({
      Step: '500 of 10,000',
      Speed: '2 steps/s',
      'Time left': 'about 1:19:10',
      'Running for': '14:50',
      'Last saved': 'just now',
    });
  });

  test('slow steps are shown by their time', () => {
    expect(factsOf(progressOf({ rate: 0.01 }))['Speed']).toBe('100 s per step');
    expect(factsOf(progressOf({ rate: 0 }))['Speed']).toBe('0 steps/s');
  });

  test.each([
    ['no rate', { expected: 1000 }],
    ['stalled', { expected: 1000, rate: 0 }],
    ['unknown length', { rate: 5 }],
    ['beyond the expected end', { expected: 400, rate: 5 }],
    ['no step yet', { expected: 400, rate: 5, last_step: null }],
  ])('no time left: %s', (_, changes) => {
    expect(factsOf(progressOf(changes))).not.toHaveProperty('Time left');
  });

  test('nothing known', () => {
    const progress = { last_step: null, steps: 0, last_time: null, rate: null, expected: null };
    const none = { started: null, created: null, ended: null, modified: null, hosts: [], progress };
    expect(factsOf(none)).toEqual({});
  });

  test('many hosts are counted', () => {
    expect(factsOf({ hosts: ['a', 'b', 'c'] })['Hosts']).toBe('a, b, c');
    expect(factsOf({ hosts: ['a', 'b', 'c', 'd'] })['Hosts']).toBe('4');
  });
});

describe('phaseSpans', () => {
  const PHASES: RunDetail['phases'] = [
    { name: 'initialisation', start: 100, end: 101 },
    { name: 'training', start: 101, end: null },
  ];

  test('a running phase grows', () => {
    const spans = phaseSpans(detailOf({ status: 'InProgress', phases: PHASES }), NOW);
    expect(spans.map(({ words, open }) => [words, open])).toEqual([
      ['Initialization 0:01', false],
      ['Training 14:59 so far', true],
    ]);
    expect(spans[0]?.share).toBe(0.02);
    expect(spans[1]?.share).toBeCloseTo(899 / 900);
  });

  test('a phase without an end ends with the run', () => {
    const last = (changes: Partial<RunDetail>): string | undefined =>
      phaseSpans(detailOf({ phases: PHASES, ...changes }), NOW)[1]?.words;
    expect(last({})).toBe('Training 1:39');
    expect(last({ ended: null })).toBe('Training 1:44');
  });

  test('clocks that disagree', () => {
    const phases: RunDetail['phases'] = [{ name: 'training', start: 2000, end: null }];
    const [span] = phaseSpans(detailOf({ status: 'InProgress', phases }), NOW);
    expect(span).toMatchObject({ words: 'Training 0:00 so far', share: 0.02 });
  });

  test('unknown phases, none', () => {
    const phases = [{ name: 'warming', start: 0, end: 60 }] as unknown as RunDetail['phases'];
    expect(phaseSpans(detailOf({ phases }), NOW)[0]?.words).toBe('warming 1:00');
    expect(phaseSpans(detailOf(), NOW)).toEqual([]);
  });
});
