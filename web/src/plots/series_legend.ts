// The names below a plot, with the values at the cursor; click to hide or show a series.

import { html } from '../base/dom';
import { valueText } from './axes';
import { middle, nearest, type PlotSeries } from './series_points';

interface Entry {
  name: string;
  button: HTMLButtonElement;
  value: HTMLElement;
}

// "0.31", or "0.31 (0.2 to 0.4)" if the point covers several.
export function pointText(series: PlotSeries, i: number, unit: string): string {
  const [low, high] = [series.low[i] ?? NaN, series.high[i] ?? NaN];
  const mean = middle(series, i);
  if (Number.isNaN(mean)) return series.nan ? 'NaN' : '–';
  if (low === high) return valueText(mean, unit);
  return `${valueText(mean, unit)} (${valueText(low, unit)} to ${valueText(high, unit)})`;
}

// More than a few points before the first or after the last.
function beyond({ x }: PlotSeries, at: number): boolean {
  const [first, last] = [x[0] ?? 0, x[x.length - 1] ?? 0];
  const slack = x.length > 1 ? ((last - first) / (x.length - 1)) * 3 : Infinity;
  return at < first - slack || at > last + slack;
}

// The value at x; at the last point if `at` is null.
export function legendText(series: PlotSeries, at: number | null, unit: string): string {
  const point = at === null ? series.x.length - 1 : nearest(series, at);
  return point < 0 || (at !== null && beyond(series, at)) ? '–' : pointText(series, point, unit);
}

export class SeriesLegend {
  readonly element = html('div', { class: 'plot-legend', role: 'group', 'aria-label': 'Series' });
  readonly hidden = new Set<string>(); // By name: they stay hidden when the data changes.
  private entries: Entry[] = [];
  private names = '';

  // changed: the reader has hidden or shown a series.
  constructor(private readonly changed: () => void) {}

  hide(names: readonly string[]): void {
    this.hidden.clear();
    for (const name of names) this.hidden.add(name);
    for (const { name, button } of this.entries) this.press(button, name);
  }

  setSeries(series: readonly PlotSeries[]): void {
    const names = JSON.stringify(series.map(({ name, colour }, i) => [name, colour ?? i]));
    if (names === this.names) return;
    this.names = names;
    this.entries = series.map((one, i) => this.entry(one, i));
    this.element.replaceChildren(...this.entries.map(({ button }) => button));
    this.element.hidden = series.length === 0;
  }

  // at: null for the last values.
  tell(series: readonly PlotSeries[], at: number | null, unit: string): void {
    series.forEach((one, i) => {
      const value = this.entries[i]?.value;
      if (!value) return;
      const words = legendText(one, at, unit);
      if (value.textContent !== words) value.textContent = words;
    });
  }

  private entry({ name, colour }: PlotSeries, i: number): Entry {
    const value = html('span', { class: 'plot-value' });
    const swatch = html('span', {
      class: `plot-swatch plot-c${(colour ?? i) % 8}`,
      'aria-hidden': 'true',
    });
    const button = html(
      'button',
      { type: 'button', title: `Show or hide ${name}` },
      swatch,
      html('span', { class: 'plot-name' }, name),
      value,
    );
    button.addEventListener('click', () => {
      if (!this.hidden.delete(name)) this.hidden.add(name);
      this.press(button, name);
      this.changed();
    });
    this.press(button, name);
    return { name, button, value };
  }

  private press(button: HTMLButtonElement, name: string): void {
    button.setAttribute('aria-pressed', String(!this.hidden.has(name)));
  }
}
