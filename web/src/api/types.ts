// Types of the dashboard API, see docs/reference/dashboard_api.md.

export type Seconds = number; // Since 1970.
export type RunId = string;
export type Mode = 'TRAIN' | 'EVAL' | 'PREDICT' | 'GLOBAL';

export interface Session {
  user: string;
  scopes: ('read' | 'write' | 'exec')[];
  version: string;
  read_only: string; // Why nothing can be changed, whatever the run; '' if it can.
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
  secondary: string; // 'Training', ...; '' if there is none.
  message: string; // Details of the status, such as why the run failed.
  created: Seconds | null;
  started: Seconds | null;
  ended: Seconds | null;
  modified: Seconds | null;
  folder: string;
  hosts: string[];
  tags: Record<string, string>;
  hyper_parameters: Record<string, string>;
  rules: {
    total: number;
    issues: number;
    not_evaluated: number;
    no_data: number; // Not evaluated although they apply to the run.
    errors: number;
    running: number;
  };
  incident_counts: Record<Severity, number>;
  findings: number;
  last_step: number | null;
  marks: RunMarks;
  pending?: boolean; // Not read yet: only id, name, folder and, of a job, its state are known.
}

// What people say of a run. POST runs/ID/marks with any of the members changes them and answers with
// all of them.
export interface RunMarks {
  display_name: string; // '': shown under its name. At most 200 characters, on one line.
  tags: string[]; // Sorted; at most 32, each of 1 to 64 characters, without blanks and commas.
  note: string; // At most 10,000 characters.
  archived: boolean;
  baseline: boolean; // Starred: what others are compared with.
}

// GET runs; with first=N, of the runs that began last.
export interface RunList {
  runs: RunSummary[];
  folders: string[];
  problems: string[];
  pending: number; // Runs that are not as they are now: ask again after a second.
  more?: boolean; // With first=N: there are other runs.
}

// GET runs-table: what the columns of the list are made of. Runs that nothing is known of yet are
// missing; while pending is above 0, ask again after a second.
export interface RunTable {
  pending: number; // Runs that are still to be read.
  runs: Record<RunId, RunColumns>;
}

export interface RunColumns {
  hyper_parameters: Record<string, string>; // Those of RunSummary, and those that the hook saved.
  // By tensor, without 'scalar/' in front; with ' (TRAIN)' or ' (EVAL)' behind it if it was saved in
  // several modes, as in the charts. At most 64.
  scalars: Record<string, ScalarSummary>;
  // Only if asked for with at=min:NAME or at=max:NAME: what the scalars were at the step at which that
  // one was lowest or highest, or last before it. By 'min:NAME', then scalar.
  at?: Record<string, Record<string, JsonNumber>>;
}

// Of all saved steps, counted over all modes. null: none of the values is a number.
export type ScalarSummary = [
  last: JsonNumber,
  min: number | null,
  max: number | null,
  lastStep: number,
  minStep: number | null,
  maxStep: number | null,
];

// GET runs/ID/facts: what 'warden run' recorded at the start. Members that are not known are missing;
// of a run that recorded nothing, and of jobs, all but hyper_parameters are.
export interface RunFacts {
  hyper_parameters: Record<string, string>; // As in RunColumns.
  command?: string[];
  directory?: string; // In which the command was started.
  // Values of variables that matter to trainings; of all others only the names. Secrets are '***'.
  environment?: { values: Record<string, string>; names: string[] };
  git?: {
    commit: string;
    branch: string; // '': none.
    dirty: boolean;
    diff: string; // Against the commit; without files that git does not know.
    diff_cut: boolean; // The diff was too long, and has only its beginning.
  };
  python?: { version: string; program: string; packages: Record<string, string> }; // Name -> version.
  machine?: {
    host: string;
    system: string; // 'Linux 6.1.0 x86_64'.
    cpu: string;
    cores: number;
    memory: number; // Bytes.
    gpus: { name: string; memory: number | null }[];
  };
}

// GET trash: runs that were deleted with POST runs/ID/delete, newest first. POST trash/ID/restore
// puts one back; its id stays the same.
export interface DeletedRun {
  id: RunId;
  name: string;
  folder: string; // Where it was.
  deleted: Seconds;
  purged: Seconds; // When its files will be removed.
}

// Non-finite numbers arrive as 'NaN', 'Infinity', '-Infinity'.
export type JsonNumber = number | 'NaN' | 'Infinity' | '-Infinity';

// Worst first.
export type Severity = 'problem' | 'warning' | 'note';

export interface Finding {
  id: number;
  step: number; // Global; -1: not tied to a step.
  last_step: number;
  count: number;
  mode: Mode;
  worker: string; // '': none. For profiler rules: the node.
  tensor: string; // '': none. For profiler rules: the device.
  value: JsonNumber;
  threshold: JsonNumber;
  message: string;
  advice: string;
  severity: Severity;
  time?: Seconds;
  optimizer_step?: number; // As the training script counts.
  epoch?: number; // From 1.
}

export interface RuleView {
  name: string;
  rule: string; // Its class: 'VanishingGradient'.
  kind: 'debug' | 'profiler' | 'report';
  severity: Severity; // Of its findings.
  status: RuleStatus;
  reason: string; // For NotEvaluated and Error; while it runs: what it is missing, if that is known.
  unsent?: string; // Its messages that nobody gets, and why; '' if there are none.
  parameters: Record<string, string>;
  coverage: { tensors: number; steps: number };
  findings: Finding[];
  notes: string[];
  doc: string; // What it means when the rule finds something.
  shadow: boolean; // On trial: what it finds counts for nothing.
  applies: boolean; // False: it cannot have anything to check in this run.
}

// What followed from the cause of an incident: the findings of one rule.
export interface Effect {
  rule: string;
  since: string; // 'step 12', 'step 108 (optimizer step 54, epoch 2)', '12:03:20 UTC'.
  step: number;
  finding: number; // Id of the first finding.
  tensors: number;
  findings: number;
}

// Findings with one cause: that of the rule, and what followed from it.
export interface MachineFact {
  event: string; // 'gpu_error', 'gpu_slowdown', 'host_memory', ...
  node: string;
  devices: string[];
  value: number;
  time: Seconds; // 0: not known.
  text: string;
}

export interface Incident {
  severity: Severity;
  confidence?: 'high' | 'medium' | 'low'; // That its cause is the cause; unknown to older servers.
  rule: string;
  headline: string;
  since: string; // As in Effect.
  step: number;
  last_step: number;
  advice: string;
  doc: string;
  finding: number; // Id of the first finding of the rule.
  tensors: number; // Of the rule.
  findings: number; // Of all rules.
  effects: Effect[]; // Earliest first.
  spread?: string[]; // 'decoder.3 (step 51)', 'decoder.4', 'all gradients'; if it is known.
  machine?: MachineFact[]; // What the machine did when the cause began, if that is remarkable.
  optimizer_step?: number;
  epoch?: number;
}

export type Phase = 'initialisation' | 'training' | 'finalisation' | 'without_steps';

export interface RunDetail extends RunSummary {
  phase: Phase | 'ended' | 'unknown';
  phases: { name: Phase; start: Seconds; end: Seconds | null }[];
  transitions: { status: string; start: Seconds; end: Seconds | null; message: string }[];
  progress: {
    last_step: number | null;
    steps: number; // Number of saved steps.
    last_time: Seconds | null; // When the last step was saved.
    rate: number | null; // Recent steps per second.
    expected: number | null; // Total number of steps, if a hyperparameter tells it.
  };
  workers: number; // Processes that saved tensors; 0: not known.
  has: { tensors: boolean; metrics: boolean; timeline: boolean; reports: boolean; logs: boolean };
  rules_seen: RuleView[];
  incidents: Incident[]; // Worst first.
  control: {
    stop: boolean;
    profiling: boolean;
    details: boolean; // Operators and kernels of some steps.
    rules: boolean;
    why_not: string; // Why something is not possible; '' if everything is.
  };
  // framework: steps and operators, not only the machine.
  profiler: { enabled: boolean; interval_ms: number | null; framework: boolean };
  resources: Record<string, string>; // Of a job: its ARN, instance type, nodes, ...
  outputs: Record<string, string>; // 'tensors', 'profile', 'model', ... -> location.
  command: string;
  failure: string;
  failure_output: string; // Of a run that failed: its last traceback or last lines; may be ''.
}

// What a worker spends its steps on: medians in seconds; null: not saved.
export interface Rank {
  worker: string;
  steps: number;
  step_seconds: number | null;
  own_seconds: number | null; // Without waiting for other workers.
  exchange_seconds: number | null; // Waiting for other workers.
  loader_seconds: number | null;
  // How far its clock is ahead of the first worker's.
  clock: { offset: number; error: number; exchanges: number } | null;
  slow: boolean;
}

export interface RankList {
  ranks: Rank[];
  measures: string[]; // What GET ranks/map can show.
  ingested: { steps: number; total: number; done: boolean };
}

export interface LogLine {
  time: Seconds;
  text: string;
  position: number; // Of its first byte in the log; also what `before` and `after` take.
  level?: 'warning' | 'error';
}

// Lines that follow each other, as far as they match a search.
export interface LogPage {
  lines: LogLine[];
  previous: string; // What is older: before=.
  next: string; // What follows: after=.
  // Whether there may be more lines that match.
  older: boolean;
  newer: boolean;
  kept: [begin: number, end: number][]; // The output between two of them was left out.
  here?: number; // The position of the moment that at= asked for.
  hosts: string[];
}

export interface CatalogueRule {
  name: string;
  kind: 'debug' | 'profiler' | 'report';
  severity: Severity;
  doc: string;
  advice: string;
  // type: 'number', 'integer', 'bool', 'text', 'list', 'mode'. default: as text; null: none.
  parameters: {
    name: string;
    type: string;
    default: string | null;
    doc: string;
    accepted: string;
  }[];
}

export type LiveEvent =
  | { event: 'hello'; data: { version: string } }
  | { event: 'runs'; data: Record<string, never> }
  | { event: 'run'; data: Record<string, never> }
  | { event: 'finding'; data: { rule: string; finding: Finding } }
  | { event: 'steps'; data: { last_step: number; steps: number; ingested: number; total: number } }
  | { event: 'metrics'; data: { time: Seconds } }
  | { event: 'timeline'; data: { events: number } }
  | { event: 'lost'; data: Record<string, never> } // Made by the page: the connection was lost, ...
  | { event: 'back'; data: Record<string, never> }; // ... and is back: reload everything.

export interface TensorInfo {
  name: string;
  dtype: string;
  shape: number[] | null;
  collections: string[];
  modes: Mode[];
  steps: number; // Number of steps at which it was saved.
  first: number; // Global steps.
  last: number;
  values: boolean; // The values were saved, not only reductions.
  statistics: string[]; // Statistics available to series, heat maps and comparisons.
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
  state: { done: boolean; read: number; total: number }; // Reading progress in bytes.
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
  outliers: {
    step: number;
    mode: string;
    node: string;
    time: Seconds;
    duration: number;
    usual: number;
  }[];
  // time: null if the timeline does not have the step; the saved steps may.
  findings: { rule: string; id: number; time: Seconds | null; step: number; message: string }[];
}

export interface ReportTable {
  caption: string;
  columns: string[];
  rows: string[][];
  numeric: boolean[];
  shown: number;
}

export interface ReportChart {
  kind: string; // One of the kinds in src/charts.
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
  // Shown instead of advice, or below it.
  no_advice: { text: string; tone: 'plain' | 'good' | 'warning' | 'quiet' }[];
  sections: ReportSection[];
  written_at: string;
}

export interface Profile {
  report: ReportValue | null; // Null if nothing was profiled.
  dashboard: ReportSection[];
  pending: boolean; // Still being computed: ask again in a second.
}

export interface Track {
  id: number;
  host: string;
  device: 'CPU' | 'GPU';
  process: string;
  name: string; // Thread or stream.
  depth: number; // Rows needed for nested events.
  events: number;
}

export interface TimelineInfo {
  start: number; // Microseconds since 1970.
  end: number;
  events: number;
  state: { done: boolean; read: number; total: number };
  tracks: Track[];
  clocks: HostClock[];
  problems: string[];
}

// By how much the times of a host were moved, so that all are by one clock.
export interface HostClock {
  host: string;
  metrics: string; // The host as its system metrics name it.
  moved: number; // Microseconds.
  error: number;
  text: string; // "clock of algo-2 moved by −12.3 ms ± 0.4 ms"
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
  args?: Record<string, unknown>;
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

export interface FlameNode {
  name: string;
  kind: 'all' | 'process' | 'thread' | 'span' | 'other';
  parent: number | null; // A number in the list; smaller than its own.
  count: number;
  total: number; // Microseconds, with everything in it; ...
  self: number; // ... without.
}

export interface Flame {
  from: number;
  to: number;
  merged: number; // Small nodes that were put together.
  threads: { host: string; process: string; name: string; tracks: number[] }[];
  nodes: FlameNode[]; // The root first.
}

export interface StepPiece extends TimelineHit {
  depth: number;
  kind: string; // "GPU kernels"
  count: number; // Pieces that were put together.
  then: string; // What it has to do with the next piece.
}

export interface StepPath {
  id: number;
  step: number;
  mode: string;
  node: string;
  start: number;
  duration: number;
  kinds: { kind: string; time: number; share: number }[];
  pieces: StepPiece[];
  all_pieces: number;
  notes: string[];
  steps: {
    mode: string;
    node: string;
    count: number;
    first: number;
    last: number;
    slowest: { step: number; duration: number };
  }[];
}

export interface StepWait {
  kind: string;
  median: number;
  share: number;
}

export interface StepWaits {
  mode: string;
  node: string;
  steps: number;
  looked_at: number;
  duration: number;
  kinds: StepWait[];
  names: (StepWait & { name: string })[];
  notes: { text: string; steps: number }[];
}

export interface ReportFiles {
  name: string;
  title: string;
  kind: 'profiler' | 'xgboost';
  modified: Seconds;
  files: { path: string; bytes: number }[];
}

export interface Comparison {
  // How much of each run was read: differences at other steps are not known yet.
  ingested?: Record<'a' | 'b', { steps: number; total: number; done: boolean }>;
  only_a: string[];
  only_b: string[];
  tensors: {
    tensor: string;
    steps: number; // Steps that both runs saved.
    last_step: number;
    a: number | null;
    b: number | null;
    difference: number | null; // Relative.
    first_step: number | null; // First step at which they differ; null: never.
  }[];
}
