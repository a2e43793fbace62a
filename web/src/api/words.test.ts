import { describe, expect, test } from 'vitest';
import { findingOf, ruleOf, runOf } from './runs_for_test';
import type { RuleStatus, RunStatus } from './types';
import { ago, counted, isRunning, ruleSaid, ruleStatus, runSeconds, runStatus } from './words';

describe('statuses', () => {
  test('known ones', () => {
    expect(runStatus('Failed')).toEqual({ words: 'Failed', tone: 'bad' });
    expect(ruleStatus('IssuesFound')).toEqual({ words: 'Problems found', tone: 'warning' });
  });

  test.each(['Paused', 'constructor', ''])('%j of a newer server is shown as it is', (status) => {
    expect(runStatus(status as RunStatus)).toEqual({ words: status, tone: 'quiet' });
    expect(ruleStatus(status as RuleStatus)).toEqual({ words: status, tone: 'quiet' });
  });

  test('a running rule with findings', () => {
    const running = ruleOf({ status: 'InProgress' });
    expect(ruleSaid(running).words).toBe('Running');
    expect(ruleSaid({ ...running, findings: [findingOf()] }).words).toBe('Problems so far');
  });

  test('a run that is stopping still runs', () => {
    expect(isRunning(runOf({ status: 'Stopping' }))).toBe(true);
    expect(isRunning(runOf({ status: 'Stopped' }))).toBe(false);
  });
});

describe('runSeconds', () => {
  test.each([
    ['from start to end', {}, 90],
    ['from creation, if it has not started', { started: null }, 100],
    ['until now, while it runs', { ended: null, status: 'InProgress' as const }, 890],
    ['until the last change, if nothing says when it ended', { ended: null }, 95],
    ['unknown without a start', { started: null, created: null }, null],
    ['unknown without an end', { ended: null, modified: null }, null],
    ['unknown if it ends before it starts', { ended: 5 }, null],
  ])('%s', (_, changes, seconds) => {
    expect(runSeconds(runOf(changes), 1000)).toBe(seconds);
  });
});

describe('ago', () => {
  test.each([
    [-100, 'just now'],
    [3, 'just now'],
    [44.9, 'just now'],
    [45, '1 minute ago'],
    [60, '1 minute ago'],
    [89, '1 minute ago'],
    [90, '2 minutes ago'],
    [3419, '57 minutes ago'],
    [3420, '1 hour ago'],
    [5400, '2 hours ago'],
    [3 * 86400, '3 days ago'],
    [45 * 86400, '2 months ago'],
    [365 * 86400, '1 year ago'],
    [3650 * 86400, '10 years ago'],
    [NaN, ''],
    [Infinity, ''],
  ])('%f seconds: %s', (seconds, words) => {
    expect(ago(seconds)).toBe(words);
  });
});

test('counted', () => {
  expect(counted(0, 'step')).toBe('0 steps');
  expect(counted(1, 'step')).toBe('1 step');
  expect(counted(12345, 'step')).toBe('12,345 steps');
  expect(counted(2, 'entry', 'entries')).toBe('2 entries');
});
