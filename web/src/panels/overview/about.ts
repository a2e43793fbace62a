// About the run: hyperparameters of the command line and of the run itself, tags, command, output folders.

import type { RunDetail } from '../../api/types';
import { isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { elapsed } from '../../base/format';
import { copiedLine } from '../common/copied_line';
import { shellCommand } from '../common/shell_words';

const OUTPUTS: Record<string, string> = {
  tensors: 'Tensors',
  profile: 'Profiler output',
  tensorboard: 'TensorBoard',
  model: 'Model',
};

function pairs(title: string, record: Record<string, string>): HTMLElement[] {
  const entries = Object.entries(record);
  if (entries.length === 0) return [];
  const list = html(
    'dl',
    { class: 'facts' },
    ...entries.map(([name, value]) =>
      html('div', {}, html('dt', {}, name), html('dd', {}, value || '✓')),
    ),
  );
  return [html('section', { class: 'card' }, html('h2', {}, title), list)];
}

// On the machine of the service.
const board = (run: RunDetail): HTMLElement =>
  copiedLine(
    shellCommand('warden', 'tensorboard', run.kind === 'job' ? run.name : run.folder),
    'the command',
  );

function places(run: RunDetail): HTMLElement {
  const rows: [string, string][] = [];
  if (run.command) rows.push(['Command', run.command]);
  rows.push(['Folder', run.folder]);
  for (const [name, value] of Object.entries(run.outputs))
    rows.push([OUTPUTS[name] ?? name, value]);
  const list = rows.map(([name, value]) =>
    html('div', {}, html('dt', {}, name), html('dd', { class: 'mono' }, value)),
  );
  if (run.has.tensors || run.outputs['tensorboard'] !== undefined)
    list.push(html('div', {}, html('dt', {}, 'Open in TensorBoard'), html('dd', {}, board(run))));
  return html(
    'section',
    { class: 'card' },
    html('h2', {}, 'Location'),
    html('dl', { class: 'facts overview-places' }, ...list),
  );
}

function transitions(run: RunDetail): HTMLElement[] {
  if (run.transitions.length === 0) return [];
  const items = run.transitions.map(({ status, start, end, message }) => {
    const took = end !== null ? elapsed(end - start) : isRunning(run) ? 'now' : '';
    const words = [took, message].filter((text) => text !== '').join(' · ');
    return html('div', {}, html('dt', {}, status), html('dd', {}, words));
  });
  return [
    html(
      'section',
      { class: 'card' },
      html('h2', {}, 'Status history'),
      html('dl', { class: 'facts' }, ...items),
    ),
  ];
}

export class About {
  readonly element = html('div', { class: 'grid-cards overview-about' });
  private shown = '';
  private run: RunDetail | null = null;
  private saved: Record<string, string> = {};

  // Hyperparameters that the run saved.
  setSaved(saved: Record<string, string>): void {
    this.saved = saved;
    if (this.run) this.update(this.run);
  }

  update(run: RunDetail): void {
    this.run = run;
    const key = JSON.stringify([
      this.saved,
      run.hyper_parameters,
      run.tags,
      run.command,
      run.folder,
      run.outputs,
      run.has.tensors,
      run.resources,
      run.transitions,
    ]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren(
      ...pairs('Hyperparameters', run.hyper_parameters),
      ...pairs('Hyperparameters saved by the run', this.saved),
      ...pairs('Tags', run.tags),
      ...pairs('Information', run.resources),
      places(run),
      ...transitions(run),
    );
  }
}
