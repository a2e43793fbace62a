import { describe, expect, test } from 'vitest';
import { detailOf } from '../../api/runs_for_test';
import type { ReportChart, ReportSection } from '../../api/types';
import { arrange, howToRecord, meant } from './questions';

const chart = (title: string): ReportChart => ({
  kind: 'pie',
  title,
  x_label: '',
  y_label: '',
  summary: '',
  data: { slices: [] },
  table: { caption: title, columns: [], rows: [], numeric: [], shown: 0 },
});

const section = (id: string, charts: string[], changes: Partial<ReportSection> = {}) => ({
  id,
  title: id,
  text: [],
  tables: [],
  charts: charts.map(chart),
  parts: [],
  ...changes,
});

const quiet = (id: string, text: string): ReportSection =>
  section(id, [], { text: [{ text, tone: 'quiet' }] });

const ids = (arranged: ReturnType<typeof arrange>): string[][] =>
  arranged.questions.map(({ title, sections }) => [title, ...sections.map(({ id }) => id)]);

describe('the page by question', () => {
  test('each section is below its question, and unknown ones are not lost', () => {
    const dashboard = [section('kernels', ['a']), section('activity', ['b'])];
    const report = [section('rules', ['c']), section('job', ['d']), section('new', ['e'])];
    expect(ids(arrange(dashboard, report))).toEqual([
      ['Was the machine busy?', 'dashboard-activity'],
      ['Where did the time go?', 'report-job'],
      ['What ran?', 'dashboard-kernels'],
      ['What slowed it down?', 'report-rules'],
      ['More', 'report-new'],
    ]);
  });

  test('nothing is shown twice', () => {
    const operators = section('cpu', [], { title: 'CPU operators' });
    const arranged = arrange(
      [
        section('activity', ['GPU utilization', 'CPU active time']),
        section('step-time', ['Step durations']),
        section('cpu-operators', ['Self time']),
      ],
      [
        section('system', ['GPU utilization', 'I/O wait']),
        section('steps', ['Step durations']),
        section('framework', ['Time'], { parts: [operators] }),
      ],
    );
    const shown = arranged.questions.flatMap(({ sections }) => sections);
    expect(shown.map(({ id }) => id)).not.toContain('dashboard-step-time');
    const titles = shown.flatMap((one) => one.section.charts.map(({ title }) => title));
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).toContain('I/O wait');
    expect(shown.flatMap((one) => one.section.parts)).toEqual([]);
    // An old link finds what contains it.
    expect(meant('dashboard-step-time', arranged)).toBe('report-steps');
    expect(meant('report-system', arranged)).toBe('report-system');
  });

  test('what has no data is in one place', () => {
    const arranged = arrange(
      [quiet('kernels', 'No GPU kernels recorded.'), section('activity', ['a'])],
      [quiet('loading', 'Dataloader was not evaluated.')],
    );
    expect(ids(arranged)).toEqual([['Was the machine busy?', 'dashboard-activity']]);
    expect(arranged.empty.map(({ id }) => id)).toEqual(['dashboard-kernels', 'report-loading']);
  });
});

describe('what to do about missing data', () => {
  const control = { stop: true, profiling: true, details: true, rules: true, why_not: '' };
  const profiler = { enabled: true, interval_ms: 500, framework: false };

  test('a running job: the switch', () => {
    const run = detailOf({ kind: 'job', control, profiler });
    expect(howToRecord(run, false).words).toContain('“Framework profiling” above');
    const on = detailOf({ kind: 'job', control, profiler: { ...profiler, framework: true } });
    expect(howToRecord(on, false).words).toContain('is on');
  });

  test('a run: its own command', () => {
    const run = detailOf({ kind: 'folder', command: 'python3 mine.py --lr 1' });
    expect(howToRecord(run, false).command).toBe(
      'warden run --profile full -- python3 mine.py --lr 1',
    );
  });

  test('nothing, if operators were recorded', () => {
    expect(howToRecord(detailOf({}), true)).toEqual({ words: '', command: '' });
  });
});
