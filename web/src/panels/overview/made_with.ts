// What the run was made with, folded: commit and uncommitted changes, machine, packages, environment.
// Loaded when it is opened.

import { below, type Client } from '../../api/client';
import type { RunFacts } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { diffBox } from '../common/diff_box';
import { Latest } from '../common/latest';
import { changesOf, recorded } from '../common/recorded';
import { loading, refused } from '../common/states';

const pairs = (record: Record<string, string>): HTMLElement =>
  html(
    'dl',
    { class: 'facts overview-places' },
    ...Object.entries(record).map(([name, value]) =>
      html('div', {}, html('dt', {}, name), html('dd', { class: 'mono' }, value)),
    ),
  );

function folded(words: string, record: Record<string, string> = {}): HTMLElement[] {
  const count = Object.keys(record).length;
  if (count === 0) return [];
  return [html('details', {}, html('summary', {}, counted(count, words)), pairs(record))];
}

function shown(facts: RunFacts): HTMLElement[] {
  const changes = changesOf(facts);
  const all = recorded(facts);
  if (Object.keys(all).length === 0)
    return [
      html(
        'p',
        { class: 'quiet' },
        'Nothing was recorded at the start of this run. ',
        html('code', {}, 'warden run'),
        ' records the commit, packages, environment and machine.',
      ),
    ];
  const diff = changes?.diff ? [html('h3', {}, 'Uncommitted changes'), diffBox(changes)] : [];
  return [
    pairs(all),
    ...diff,
    ...folded('package', facts.python?.packages),
    ...folded('variable', facts.environment?.values),
  ];
}

export class MadeWith {
  readonly element = html('details', { class: 'card overview-made' });
  private readonly place = html('div');
  private readonly question = new Latest();
  private there = false;

  constructor(
    private readonly client: Client,
    private readonly run: string,
  ) {
    this.element.append(html('summary', {}, html('h2', {}, 'Made with')), this.place);
    this.element.addEventListener('toggle', () => {
      if (this.element.open && !this.there) this.load();
    });
  }

  close(): void {
    this.question.giveUp();
  }

  private load(): void {
    this.place.replaceChildren(loading());
    this.question.ask(
      (signal) => this.client.get<RunFacts>(below(this.run, 'facts'), { signal }),
      (facts) => {
        this.there = true;
        this.place.replaceChildren(...shown(facts));
      },
      (error) => this.place.replaceChildren(refused(error, () => this.load())),
    );
  }
}
