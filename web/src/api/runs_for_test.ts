// Runs, findings and answers as the server sends them, for tests.

import type { Answer, AskOptions, Client } from './client';
import type { Column, Columns } from './columns';
import type {
  Effect,
  Finding,
  Incident,
  RuleView,
  RunDetail,
  RunSummary,
  TensorInfo,
  TensorList,
} from './types';

export const runOf = (changes: Partial<RunSummary> = {}): RunSummary => ({
  id: 'r1',
  name: 'ResNet 50',
  kind: 'job',
  status: 'Completed',
  secondary: '',
  message: '',
  created: 100,
  started: 110,
  ended: 200,
  modified: 205,
  folder: '/data/r1',
  hosts: ['algo-1'],
  tags: { team: 'vision', base: '' },
  hyper_parameters: { lr: '0.10', optimizer: 'SGD' },
  rules: { total: 3, issues: 0, not_evaluated: 0, no_data: 0, errors: 0, running: 0 },
  incident_counts: { problem: 0, warning: 0, note: 0 },
  findings: 0,
  last_step: 500,
  marks: { display_name: '', tags: [], note: '', archived: false, baseline: false },
  ...changes,
});

export const detailOf = (changes: Partial<RunDetail> = {}): RunDetail => ({
  ...runOf(),
  phase: 'ended',
  phases: [],
  transitions: [],
  progress: { last_step: 500, steps: 51, last_time: 199, rate: null, expected: null },
  workers: 1,
  has: { tensors: true, metrics: true, timeline: true, reports: true, logs: true },
  rules_seen: [],
  incidents: [],
  control: { stop: false, profiling: false, details: false, rules: false, why_not: '' },
  profiler: { enabled: false, interval_ms: null, framework: false },
  resources: {},
  outputs: {},
  command: '',
  failure: '',
  failure_output: '',
  ...changes,
});

export const findingOf = (changes: Partial<Finding> = {}): Finding => ({
  id: 1,
  step: 7,
  last_step: 7,
  count: 1,
  mode: 'GLOBAL',
  worker: '',
  tensor: 'g',
  value: 1e-9,
  threshold: 1e-7,
  message: 'g: mean |x| 1e-09 is below 1e-07 at step 7',
  advice: '',
  severity: 'problem',
  ...changes,
});

export const effectOf = (changes: Partial<Effect> = {}): Effect => ({
  rule: 'LossSpike',
  since: 'step 12',
  step: 12,
  finding: 1,
  tensors: 1,
  findings: 1,
  ...changes,
});

export const incidentOf = (changes: Partial<Incident> = {}): Incident => ({
  severity: 'problem',
  rule: 'Divergence',
  headline: 'training diverges',
  since: 'step 7',
  step: 7,
  last_step: 20,
  advice: 'Lower the learning rate.',
  doc: '',
  finding: 1,
  tensors: 0,
  findings: 1,
  effects: [],
  ...changes,
});

export const ruleOf = (changes: Partial<RuleView> = {}): RuleView => ({
  name: 'VanishingGradient',
  rule: 'VanishingGradient',
  kind: 'debug',
  severity: 'problem',
  status: 'NoIssuesFound',
  reason: '',
  parameters: {},
  coverage: { tensors: 4, steps: 10 },
  findings: [],
  notes: [],
  doc: '',
  shadow: false,
  applies: true,
  ...changes,
});

export const tensorOf = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo => ({
  name,
  dtype: 'float32',
  shape: [2, 3],
  collections: ['weights'],
  modes: ['TRAIN'],
  steps: 10,
  first: 0,
  last: 9,
  values: true,
  statistics: ['mean'],
  ...changes,
});

export const listOf = (tensors: TensorInfo[], changes: Partial<TensorList> = {}): TensorList => ({
  modes: ['TRAIN'],
  workers: ['worker_0'],
  collections: [],
  tensors,
  ingested: { steps: 10, total: 10, done: true },
  problems: [],
  ...changes,
});

export const columnsOf = <Header>(
  header: Header,
  columns: Record<string, Column> = {},
): Columns<Header> => ({
  header,
  column: (name) =>
    (Object.hasOwn(columns, name) ? columns[name] : undefined) ?? new Float64Array(),
});

export interface Asked {
  path: string;
  options: AskOptions;
}

// A client whose answers come from `answer`; `asked` has the requests.
export function clientOf(answer: (asked: Asked) => Answer<unknown>): {
  client: Client;
  asked: Asked[];
} {
  const asked: Asked[] = [];
  const ask = (path: string, options: AskOptions = {}): Promise<Answer<unknown>> => {
    asked.push({ path, options });
    return Promise.resolve(answer({ path, options }));
  };
  return { client: { get: ask, columns: ask } as unknown as Client, asked };
}
