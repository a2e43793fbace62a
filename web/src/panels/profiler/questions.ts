// The page by question: the sections of the dashboard and of the report, nothing twice, and what
// has no data in one place.

import type { ReportSection, RunDetail } from '../../api/types';

export interface Placed {
  id: string; // On the page, and in links.
  section: ReportSection;
}

export interface Question {
  title: string;
  sections: Placed[];
}

export interface Arranged {
  questions: Question[];
  empty: Placed[]; // Without data: their texts say why.
}

export const DASHBOARD = 'dashboard-';
export const REPORT = 'report-';

const QUESTIONS: [string, string[]][] = [
  [
    'Was the machine busy?',
    ['dashboard-activity', 'report-system', 'report-gpu', 'report-balance', 'report-gpu-memory'],
  ],
  [
    'Where did the time go?',
    [
      'report-job',
      'report-steps',
      'dashboard-step-time',
      'report-framework',
      'dashboard-annotations',
    ],
  ],
  [
    'What ran?',
    [
      'dashboard-kernels',
      'dashboard-launches',
      'dashboard-precision',
      'dashboard-gpu-activity',
      'dashboard-memory-operations',
      'dashboard-communication',
      'dashboard-cpu-operators',
    ],
  ],
  [
    'What slowed it down?',
    [
      'report-loading',
      'report-batch',
      'report-cpu-bottlenecks',
      'report-io-bottlenecks',
      'report-rules',
    ],
  ],
];
const OTHER = 'More';

// Sections that another one contains.
const CONTAINED: Record<string, string> = { 'dashboard-step-time': 'report-steps' };
// Parts of a section that another one shows in more detail.
const PARTS: Record<string, string> = {
  'CPU operators': 'dashboard-cpu-operators',
  'GPU operators': 'dashboard-kernels',
};

const drawn = ({ charts, tables, parts }: ReportSection): boolean =>
  charts.length + tables.length + parts.length > 0;

// Nothing to see, and a first sentence that says why.
export const isEmpty = (section: ReportSection): boolean =>
  !drawn(section) && section.text[0]?.tone === 'quiet';

// The section that a link means.
export function meant(id: string, arranged: Arranged): string {
  const all = [...arranged.questions.flatMap(({ sections }) => sections), ...arranged.empty];
  return all.some((one) => one.id === id) ? id : (CONTAINED[id] ?? id);
}

export function arrange(
  dashboard: readonly ReportSection[],
  report: readonly ReportSection[],
): Arranged {
  const all = new Map<string, ReportSection>();
  for (const section of dashboard) all.set(DASHBOARD + section.id, section);
  for (const section of report) all.set(REPORT + section.id, section);
  for (const [id, within] of Object.entries(CONTAINED)) {
    const other = all.get(within);
    if (other && drawn(other)) all.delete(id);
  }
  const named = new Set(QUESTIONS.flatMap(([, ids]) => ids));
  const others = [...all.keys()].filter((id) => !named.has(id));
  const seen = new Set<string>(); // Charts.
  const empty: Placed[] = [];
  const questions: Question[] = [];
  for (const [title, ids] of [...QUESTIONS, [OTHER, others] as const]) {
    const sections: Placed[] = [];
    for (const id of ids) {
      const section = all.get(id);
      if (!section) continue;
      if (isEmpty(section)) empty.push({ id, section });
      else sections.push({ id, section: withoutRepeats(section, all, seen) });
    }
    if (sections.length > 0) questions.push({ title, sections });
  }
  return { questions, empty };
}

function withoutRepeats(
  section: ReportSection,
  all: ReadonlyMap<string, ReportSection>,
  seen: Set<string>,
): ReportSection {
  const charts = section.charts.filter((chart) => {
    const key = JSON.stringify([chart.title, chart.data]);
    return !seen.has(key) && seen.add(key);
  });
  const parts = section.parts.filter(({ title }) => {
    const shown = all.get(PARTS[title] ?? '');
    return !shown || !drawn(shown);
  });
  return { ...section, charts, parts };
}

// What to do to see what is missing, for this run; '' if nothing helps.
export interface Advice {
  words: string;
  command: string; // To run; may be ''.
}

export function howToRecord(run: RunDetail, detailed: boolean): Advice {
  if (detailed) return { words: '', command: '' };
  if (run.control.profiling && !run.profiler.framework) {
    const words = 'Press “Framework profiling” above to record the next steps of this job.';
    return { words, command: '' };
  }
  if (run.control.profiling)
    return { words: 'Framework profiling is on: data appears with the next steps.', command: '' };
  if (run.kind === 'job') {
    const words =
      'To record operators and kernels, start the job with profiler parameters, such as ' +
      'FrameworkProfile(start_step=5, num_steps=3) of the SDK.';
    return { words, command: '' };
  }
  const words = 'To record steps, operators and kernels, run:';
  return { words, command: `warden run --profile full -- ${run.command || 'python3 train.py'}` };
}
