// What the server tells: docs/reference/dashboard_api.md in types.

export type Seconds = number; // Since 1970.
export type RunId = string;
export type Mode = 'TRAIN' | 'EVAL' | 'PREDICT' | 'GLOBAL';

export interface Session {
  user: string;
  scopes: ('read' | 'write' | 'exec')[];
  version: string;
}

export type RunStatus = 'InProgress' | 'Completed' | 'Failed' | 'Stopping' | 'Stopped' | 'Unknown';
export type RuleStatus =
  | 'InProgress'
  | 'NoIssuesFound'
  | 'IssuesFound'
  | 'NotEvaluated'
  | 'Error'
  | 'Stopping'
  | 'Stopped';

export interface RunSummary {
  id: RunId;
  name: string;
  kind: 'job' | 'folder';
  status: RunStatus;
  secondary: string; // 'Training', ...; '' where there is none.
  message: string; // What the status has to say: why it failed.
  created: Seconds | null;
  started: Seconds | null;
  ended: Seconds | null;
  modified: Seconds | null;
  folder: string;
  hosts: string[];
  tags: Record<string, string>;
  hyper_parameters: Record<string, string>;
  rules: { total: number; issues: number; not_evaluated: number; errors: number; running: number };
  findings: number;
  last_step: number | null;
}

export interface RunList {
  runs: RunSummary[];
  folders: string[];
  problems: string[];
}

// Numbers that are not finite come as 'NaN', 'Infinity', '-Infinity'.
export type JsonNumber = number | 'NaN' | 'Infinity' | '-Infinity';

export interface Finding {
  id: number;
  step: number; // Global; -1: not a matter of steps.
  last_step: number;
  count: number;
  mode: Mode;
  worker: string; // '': of none in particular. Of profiler rules: the node.
  tensor: string; // '': of none in particular. Of profiler rules: the device.
  value: JsonNumber;
  threshold: JsonNumber;
  message: string;
  advice: string;
  time?: Seconds;
}

export interface RuleView {
  name: string;
  rule: string; // Its class: 'VanishingGradient'.
  kind: 'debug' | 'profiler' | 'report';
  status: RuleStatus;
  reason: string; // Of NotEvaluated and Error.
  parameters: Record<string, string>;
  coverage: { tensors: number; steps: number };
  findings: Finding[];
  notes: string[];
  doc: string; // What it means when it fires.
}

export type Phase = 'initialisation' | 'training' | 'finalisation';

export interface RunDetail extends RunSummary {
  phase: Phase | 'ended' | 'unknown';
  phases: { name: Phase; start: Seconds; end: Seconds | null }[];
  transitions: { status: string; start: Seconds; end: Seconds | null; message: string }[];
  progress: {
    last_step: number | null;
    steps: number; // Saved ones.
    last_time: Seconds | null; // When the last one was saved.
    rate: number | null; // Steps a second, lately.
    expected: number | null; // Steps in all, where a hyper-parameter says so.
  };
  has: { tensors: boolean; metrics: boolean; timeline: boolean; reports: boolean; logs: boolean };
  rules_seen: RuleView[];
  control: {
    stop: boolean;
    profiling: boolean;
    rules: boolean;
    why_not: string; // Why something of it is not possible; '' if all is.
  };
  profiler: { enabled: boolean; interval_ms: number | null };
  outputs: Record<string, string>; // 'tensors', 'profile', 'model', ... -> where.
  command: string;
  failure: string;
}

export interface LogPage {
  lines: { time: Seconds; text: string }[];
  next: string;
  hosts: string[];
}

export interface CatalogueRule {
  name: string;
  kind: 'debug' | 'profiler' | 'report';
  doc: string;
  advice: string;
  // type: 'number', 'integer', 'bool', 'text', 'list', 'mode'. default: as text; null: none.
  parameters: { name: string; type: string; default: string | null; doc: string; accepted: string }[];
}

export type LiveEvent =
  | { event: 'hello'; data: { version: string } }
  | { event: 'runs'; data: Record<string, never> }
  | { event: 'run'; data: Record<string, never> }
  | { event: 'finding'; data: { rule: string; finding: Finding } }
  | { event: 'steps'; data: { last_step: number; steps: number; ingested: number; total: number } }
  | { event: 'metrics'; data: { time: Seconds } }
  | { event: 'timeline'; data: { events: number } }
  | { event: 'lost'; data: Record<string, never> } // Made by the page: the connection is gone, ...
  | { event: 'back'; data: Record<string, never> }; // ... and there again: ask for everything anew.

export interface TensorInfo {
  name: string;
  dtype: string;
  shape: number[] | null;
  collections: string[];
  modes: Mode[];
  steps: number; // At how many it was saved.
  first: number; // Global steps.
  last: number;
  values: boolean; // The values were saved, not only reductions.
  statistics: string[]; // Those that series, heatmaps and comparisons can show.
}

export interface TensorList {
  modes: Mode[];
  workers: string[];
  collections: string[];
  tensors: TensorInfo[];
  ingested: { steps: number; total: number; done: boolean };
  problems: string[];
}

export interface MetricInfo {
  key: string;
  type: string;
  name: string;
  dimension: string;
  unit: string;
}

export interface MetricList {
  start: Seconds | null;
  end: Seconds | null;
  interval: number | null; // Seconds between two samples.
  nodes: { name: string; cores: string[]; gpus: string[]; metrics: MetricInfo[] }[];
  state: { done: boolean; read: number; total: number }; // Of reading, in bytes.
  problems: string[];
}

export interface UtilisationRow {
  node: string;
  group: string;
  unit: string;
  max: number | null;
  p99: number | null;
  p95: number | null;
  p50: number | null;
  min: number | null;
}

export interface TimeMarks {
  loop: [Seconds, Seconds] | null;
  outliers: { step: number; mode: string; node: string; time: Seconds; duration: number; usual: number }[];
  findings: { rule: string; id: number; time: Seconds; step: number; message: string }[];
}

export interface ReportTable {
  caption: string;
  columns: string[];
  rows: string[][];
  numeric: boolean[];
  shown: number;
}

export interface ReportChart {
  kind: string; // As in src/charts.
  title: string;
  x_label: string;
  y_label: string;
  summary: string;
  data: unknown;
  table: ReportTable;
}

export interface ReportSection {
  id: string;
  title: string;
  text: { text: string; tone: 'plain' | 'good' | 'warning' | 'quiet' }[];
  tables: ReportTable[];
  charts: ReportChart[];
  parts: ReportSection[];
}

export interface ReportValue {
  title: string;
  subtitle: string;
  still_running: boolean;
  first: { title: string; text: string; gain: string; section: string }[];
  no_advice: { text: string; tone: 'plain' | 'good' | 'warning' | 'quiet' }[]; // Instead of it, or below it.
  sections: ReportSection[];
  written_at: string;
}

export interface Profile {
  report: ReportValue | null; // None where nothing was profiled.
  dashboard: ReportSection[];
  pending: boolean; // It is being made, or made anew: ask again in a second.
}

export interface Track {
  id: number;
  host: string;
  device: 'CPU' | 'GPU';
  process: string;
  name: string; // Thread or stream.
  depth: number; // Rows that nested events need.
  events: number;
}

export interface TimelineInfo {
  start: number; // Microseconds since 1970.
  end: number;
  events: number;
  state: { done: boolean; read: number; total: number };
  tracks: Track[];
  problems: string[];
}

export interface TimelineHit {
  id: number;
  name: string;
  track: number;
  start: number;
  duration: number;
}

export interface TimelineEvent extends TimelineHit {
  category: string;
  depth: number;
  self: number;
  step: number | null;
  args: Record<string, unknown>;
  connected: (TimelineHit & { kind: 'launch' | 'run' })[];
}

export interface TimelineRow {
  name: string;
  category: string;
  count: number;
  total: number;
  self: number;
  mean: number;
  max: number;
}

export interface ReportFiles {
  name: string;
  title: string;
  kind: 'profiler' | 'xgboost';
  modified: Seconds;
  files: { path: string; bytes: number }[];
}

export interface Comparison {
  only_a: string[];
  only_b: string[];
  tensors: {
    tensor: string;
    steps: number; // Common ones.
    last_step: number;
    a: number | null;
    b: number | null;
    difference: number | null; // Relative.
    first_step: number | null; // At which they differ; null: nowhere.
  }[];
}
