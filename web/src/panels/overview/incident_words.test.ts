import { describe, expect, test } from 'vitest';
import { effectOf, incidentOf } from '../../api/runs_for_test';
import type { Severity } from '../../api/types';
import {
  effectWords,
  extent,
  machineWords,
  severityCounts,
  severitySaid,
  spreadWords,
} from './incident_words';

describe('extent', () => {
  test.each([
    [{}, 'since step 7'],
    [
      { since: 'step 108 (optimizer step 54, epoch 2)' },
      'since step 108 (optimizer step 54, epoch 2)',
    ],
    [{ tensors: 3, findings: 27 }, 'since step 7 · 3 tensors · 27 findings'],
    [{ tensors: 0, findings: 2 }, 'since step 7 · 2 findings'],
    [{ confidence: 'low' as const }, 'since step 7 · low confidence'],
  ])('%j: %s', (changes, words) => {
    expect(extent(incidentOf(changes))).toBe(words);
  });
});

test('effectWords', () => {
  expect(effectWords(effectOf())).toBe('LossSpike since step 12');
  expect(effectWords(effectOf({ tensors: 4, findings: 4 }))).toBe(
    'LossSpike since step 12, 4 tensors',
  );
  expect(effectWords(effectOf({ tensors: 0, findings: 2 }))).toBe(
    'LossSpike since step 12, 2 findings',
  );
});

test('spreadWords', () => {
  expect(spreadWords(incidentOf())).toBe('How it spread:');
  expect(spreadWords(incidentOf({ spread: ['fc (step 3)', 'all gradients'] }))).toBe(
    'How it spread: fc (step 3) → all gradients',
  );
});

test('machineWords', () => {
  expect(machineWords(incidentOf())).toBe('');
  const fact = (text: string) => ({
    event: 'gpu_slowdown',
    node: 'algo-1',
    devices: ['gpu0'],
    value: 64,
    time: 1.7e9,
    text,
  });
  const machine = [fact('GPU 0 slowed down (heat)'), fact('host memory 97 % full')];
  expect(machineWords(incidentOf({ machine }))).toBe(
    'At the same time: GPU 0 slowed down (heat); host memory 97 % full',
  );
});

test('severityCounts', () => {
  const of = (...severities: Severity[]): string =>
    severityCounts(severities.map((severity) => incidentOf({ severity })));
  expect(of()).toBe('');
  expect(of('problem')).toBe('1 problem');
  expect(of('warning', 'problem', 'note', 'problem')).toBe('2 problems, 1 warning, 1 note');
});

test('severitySaid', () => {
  expect(severitySaid('warning')).toEqual({ words: 'Warning', tone: 'warning' });
  expect(severitySaid('constructor' as Severity)).toEqual({ words: 'constructor', tone: 'quiet' });
});
