// The table of ranks: what each of them spends a step on.

import type { Rank } from '../../api/types';
import { html } from '../../base/dom';
import { duration } from '../../base/format';
import { improveTables } from '../../base/tables';
import { clockWords, rankVerdict, stepShares } from './rank_words';

const PARTS = ['work', 'data', 'wait'] as const;
const PART_WORDS = { work: 'own work', data: 'waiting for data', wait: 'waiting for other ranks' };

const time = (seconds: number | null): HTMLElement =>
  html('td', { class: 'number' }, seconds === null ? '–' : duration(seconds));

function bar(rank: Rank, longest: number): HTMLElement {
  const box = html('div', { class: 'ranks-bar', 'aria-hidden': 'true' });
  stepShares(rank, longest).forEach((share, i) => {
    const piece = html('span', { class: `ranks-${PARTS[i] ?? 'work'}` });
    piece.style.width = `${100 * share}%`;
    box.append(piece);
  });
  return box;
}

function legend(): HTMLElement {
  const items = PARTS.map((part) =>
    html('li', {}, html('span', { class: `ranks-key ranks-${part}` }), PART_WORDS[part]),
  );
  return html('ul', { class: 'ranks-legend quiet', 'aria-hidden': 'true' }, ...items);
}

function row(rank: Rank, isFirst: boolean, longest: number, address: string): HTMLElement {
  const name = html('th', { scope: 'row' }, html('a', { href: address }, rank.worker));
  if (rank.slow) name.append(' ', html('span', { class: 'badge warning' }, 'slow'));
  return html(
    'tr',
    rank.slow ? { class: 'ranks-odd' } : {},
    name,
    html('td', { class: 'ranks-bar-cell' }, bar(rank, longest)),
    time(rank.step_seconds),
    time(rank.own_seconds),
    time(rank.exchange_seconds),
    time(rank.loader_seconds),
    html('td', { class: 'number' }, clockWords(rank, isFirst)),
  );
}

// addressOf: where the charts of a worker are.
export function rankTable(
  ranks: readonly Rank[],
  addressOf: (worker: string) => string,
): HTMLElement {
  const longest = ranks.reduce((most, { step_seconds: step }) => Math.max(most, step ?? 0), 0);
  const { words, slow } = rankVerdict(ranks);
  const heads = ['Step time', 'Own work', 'Waits for others', 'Waits for data', 'Clock'].map(
    (title) => html('th', { class: 'number', scope: 'col' }, title),
  );
  const table = html(
    'div',
    { class: 'table' },
    html(
      'table',
      { class: 'ranks-table' },
      html(
        'thead',
        {},
        html(
          'tr',
          {},
          html('th', { scope: 'col' }, 'Rank'),
          html('th', { scope: 'col', class: 'ranks-bar-cell' }, 'A step'),
          ...heads,
        ),
      ),
      html(
        'tbody',
        {},
        ...ranks.map((rank, i) => row(rank, i === 0, longest, addressOf(rank.worker))),
      ),
    ),
  );
  improveTables(table);
  const note =
    'Medians over all steps. Clock: how far the clock of a rank is ahead of the first one’s, from the moments at which gradients were averaged, and how far single moments are from that.';
  return html(
    'section',
    { class: 'card', 'aria-label': 'Time by rank' },
    html('h2', {}, 'Time by rank'),
    html('p', { class: slow ? 'notice warning ranks-verdict' : 'ranks-verdict' }, words),
    legend(),
    table,
    html('p', { class: 'common-note' }, note),
  );
}
