// A report section as elements: the same charts and tables that warden/report/html.cc writes.

import type { ReportChart, ReportSection, ReportTable } from '../../api/types';
import { html } from '../../base/dom';
import { drawChart } from '../../charts/draw';
import { HistogramPicker, type Pick } from './histogram_picker';

type Paragraph = ReportSection['text'][number];

const PICKED = 'annotations'; // The section whose histograms the reader chooses.

// Keeps a number and its percent sign on one line.
const running = (text: string): string => text.replaceAll(' %', '\u00a0%');

// For readers who do not see colors.
const TONE_WORDS: Partial<Record<Paragraph['tone'], string>> = {
  good: 'Good: ',
  warning: 'Warning: ',
};

export function paragraph({ text, tone }: Paragraph): HTMLElement {
  const words = TONE_WORDS[tone];
  const known = tone === 'good' || tone === 'warning' || tone === 'quiet' ? tone : 'plain';
  const made = html('p', { class: `profiler-text profiler-${known}` });
  if (words) made.append(html('span', { class: 'unseen' }, words));
  made.append(running(text));
  return made;
}

export function reportTable({ caption, columns, rows, numeric, shown }: ReportTable): HTMLElement {
  const head = html('tr');
  columns.forEach((name, i) =>
    head.append(
      html('th', numeric[i] ? { scope: 'col', class: 'number' } : { scope: 'col' }, name),
    ),
  );
  const body = html('tbody');
  for (const row of rows) {
    const line = html('tr');
    row.forEach((text, i) => {
      // The first column names the row.
      if (i === 0 && !numeric[0]) line.append(html('th', { scope: 'row' }, text));
      else line.append(html('td', numeric[i] ? { class: 'number' } : {}, text));
    });
    body.append(line);
  }
  const table = html('table', {}, html('caption', {}, caption), html('thead', {}, head), body);
  if (shown > 0) table.dataset['shown'] = String(shown);
  return html('div', { class: 'table', tabindex: 0, role: 'group', 'aria-label': caption }, table);
}

export class SectionWriter {
  private readonly charts: { into: HTMLElement; chart: ReportChart }[] = [];

  constructor(private readonly pick: Pick) {}

  // prefix: makes ids unique between the parts of the page.
  section(section: ReportSection, prefix: string, level: 2 | 3 | 4): HTMLElement {
    const id = prefix + section.id;
    const title = html(`h${level}`, {}, section.title);
    // Headings are enough for navigation; this many landmarks would not help.
    const made = html(
      'section',
      { id, tabindex: -1, class: level === 2 ? 'card profiler-section' : 'profiler-part' },
      title,
    );
    made.append(...section.text.map(paragraph));
    if (section.charts.length > 0) made.append(this.figures(section));
    made.append(...section.tables.map(reportTable));
    const next = level === 2 ? 3 : 4;
    made.append(...section.parts.map((part) => this.section(part, prefix, next)));
    return made;
  }

  // Call when the charts are on the page and have a width. Returns a function that stops redrawing.
  draw(): () => void {
    const ends = this.charts.map(({ into, chart }) => {
      const { kind, x_label: xLabel, y_label: yLabel, data } = chart;
      try {
        return drawChart(into, { kind, xLabel, yLabel, data });
      } catch {
        // The table with the data is below the chart.
        into.replaceChildren(
          html('p', { class: 'quiet' }, 'Cannot draw this chart. The table below has its values.'),
        );
        return () => undefined;
      }
    });
    return () => ends.forEach((end) => end());
  }

  private figures({ id, charts }: ReportSection): HTMLElement {
    const figures = charts.map((chart) => ({ name: chart.title, figure: this.figure(chart) }));
    if (id === PICKED && figures.length > 1) return new HistogramPicker(figures, this.pick).element;
    return html('div', { class: 'charts' }, ...figures.map(({ figure }) => figure));
  }

  private figure(chart: ReportChart): HTMLElement {
    const into = html('div', {
      class: 'plot',
      role: 'group',
      'aria-label': `${chart.title}. ${chart.summary}`,
    });
    this.charts.push({ into, chart });
    const summary = html(
      'summary',
      {},
      'Data',
      html('span', { class: 'unseen' }, ` of ${chart.title}`),
    );
    const details = html(
      'details',
      { class: 'profiler-data' },
      summary,
      html('p', {}, chart.summary),
      reportTable(chart.table),
    );
    const kind = /^[a-z]+$/.test(chart.kind) ? chart.kind : '';
    return html(
      'figure',
      { class: `chart ${kind}` },
      html('figcaption', {}, chart.title),
      into,
      details,
    );
  }
}
