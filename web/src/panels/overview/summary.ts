// Progress of the run: phases, steps, speed.

import type { RunDetail } from '../../api/types';
import { ago, counted, isRunning, runSeconds } from '../../api/words';
import { html } from '../../base/dom';
import { duration, elapsed, figure, utc } from '../../base/format';

// A newer server may send phases that are not listed here.
const PHASES: Partial<Record<string, string>> = {
  initialisation: 'Initialization',
  training: 'Training',
  finalisation: 'Finalization',
};
const LEAST_SHARE = 0.02; // Minimum width of a phase, so short ones stay visible.

type Fact = [name: string, value: string, title?: string];

function facts(run: RunDetail, now: number): Fact[] {
  const { progress } = run;
  const seconds = runSeconds(run, now);
  const found: Fact[] = [];
  if (progress.last_step !== null) {
    const of = progress.expected === null ? '' : ` of ${progress.expected.toLocaleString('en')}`;
    found.push([
      'Step',
      progress.last_step.toLocaleString('en') + of,
      `${counted(progress.steps, 'step')} saved`,
    ]);
  }
  if (progress.rate !== null) found.push(['Speed', rate(progress.rate)]);
  const left = secondsLeft(run);
  if (left !== null) found.push(['Time left', `about ${elapsed(left)}`]);
  if (seconds !== null) found.push([isRunning(run) ? 'Running for' : 'Duration', elapsed(seconds)]);
  if (isRunning(run) && progress.last_time !== null) {
    found.push(['Last saved', ago(now - progress.last_time), utc(progress.last_time)]);
  }
  const started = run.started ?? run.created;
  if (started !== null) found.push(['Started', ago(now - started), utc(started)]);
  const { hosts } = run;
  if (hosts.length > 0) {
    const named = hosts.length > 3 ? String(hosts.length) : hosts.join(', ');
    found.push([hosts.length === 1 ? 'Host' : 'Hosts', named, hosts.join('\n')]);
  }
  return found;
}

const rate = (stepsPerSecond: number): string =>
  stepsPerSecond >= 1 || stepsPerSecond <= 0
    ? `${figure(stepsPerSecond)} steps/s`
    : `${duration(1 / stepsPerSecond)} per step`;

function secondsLeft(run: RunDetail): number | null {
  const { last_step: last, expected, rate: speed } = run.progress;
  if (
    !isRunning(run) ||
    last === null ||
    expected === null ||
    speed === null ||
    speed <= 0 ||
    last >= expected
  )
    return null;
  return (expected - last) / speed;
}

export class Summary {
  readonly element: HTMLElement;
  private readonly bar = html('div', {
    class: 'overview-phases',
    role: 'list',
    'aria-label': 'Phases',
  });
  private readonly list = html('dl', { class: 'facts' });
  private readonly progress = html('progress', {
    class: 'overview-progress',
    'aria-label': 'Training progress',
    max: 1,
  });
  private run: RunDetail;
  private readonly clock = setInterval(() => this.tick(), 1000);

  constructor(run: RunDetail) {
    this.run = run;
    this.element = html(
      'section',
      { class: 'card', 'aria-label': 'Progress' },
      this.bar,
      this.progress,
      this.list,
    );
    this.draw();
  }

  update(run: RunDetail): void {
    this.run = run;
    this.draw();
  }

  close(): void {
    clearInterval(this.clock);
  }

  private tick(): void {
    if (isRunning(this.run) && !document.hidden) this.draw();
  }

  private draw(): void {
    const now = Date.now() / 1000;
    this.drawPhases(now);
    const { last_step: last, expected } = this.run.progress;
    const known = last !== null && expected !== null && expected > 0;
    this.progress.hidden = !known;
    if (known) this.progress.value = Math.min(1, last / expected);
    this.list.replaceChildren(
      ...facts(this.run, now).map(([name, value, title]) =>
        html('div', title ? { title } : {}, html('dt', {}, name), html('dd', {}, value)),
      ),
    );
  }

  private drawPhases(now: number): void {
    const spans = this.run.phases.map((phase) => ({
      ...phase,
      seconds: Math.max(0, (phase.end ?? now) - phase.start),
    }));
    const total = spans.reduce((sum, { seconds }) => sum + seconds, 0) || 1;
    this.bar.hidden = spans.length === 0;
    const parts = spans.map(({ name, seconds, end, start }) => {
      const open = end === null && isRunning(this.run);
      const words = `${PHASES[name] ?? name} ${elapsed(seconds)}${open ? ' so far' : ''}`;
      const part = html(
        'div',
        {
          class: `overview-phase ${name}${open ? ' open' : ''}`,
          role: 'listitem',
          title: `${words}, from ${utc(start)}`,
        },
        html('span', {}, words),
      );
      part.style.flexGrow = String(Math.max(LEAST_SHARE, seconds / total));
      return part;
    });
    this.bar.replaceChildren(...parts);
  }
}
