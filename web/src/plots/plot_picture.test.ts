import { describe, expect, test } from 'vitest';
import type { Palette } from './palette';
import { type Pictured, pictureOf } from './plot_picture';
import type { PlotSeries } from './series_points';

const colours: Palette = {
  card: '#fff',
  text: '#111',
  quiet: '#777',
  line: '#ddd',
  accent: '#00f',
  warning: '#fa0',
  bad: '#f00',
  shade: '#eee',
  series: Array.from({ length: 8 }, (_, i) => `#00${i}`),
  dark: false,
  font: 'sans-serif',
};
const seriesOf = (name: string, values: number[], nan = true): PlotSeries => ({
  name,
  x: values.map((_, i) => i),
  low: values,
  high: values,
  nan,
});
const made = (series: PlotSeries[], changes: Partial<Pictured> = {}): string =>
  pictureOf({
    series,
    window: [0, 4],
    y: [0, 10],
    options: { label: 'Loss', xLabel: 'Step' },
    colours,
    width: 600,
    height: 200,
    ...changes,
  });
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('pictureOf', () => {
  test('has title, axes, a path for each series and a legend with last values', () => {
    const text = made([seriesOf('train', [5, 4, 3, 2, 1]), seriesOf('val', [6, 5, 4, 4, 4.5])]);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="600"/);
    expect(text).toContain('>Loss</text>');
    expect(text).toContain('>Step</text>');
    expect(count(text, 'stroke="#000"')).toBe(1);
    expect(count(text, 'stroke="#001"')).toBe(1);
    expect(text).toContain('>train  1</text>');
    expect(text).toContain('>val  4.5</text>');
    expect(text).toContain('>4</text>'); // The last tick.
  });

  test('a NaN interrupts the curve and is a cross; a lone point is a dot', () => {
    const text = made([seriesOf('loss', [5, 4, NaN, NaN, 1])]);
    expect(count(text, '<circle')).toBe(1);
    expect(text).toContain('stroke-width="1.4"');
  });

  test('points that cover several steps have a band', () => {
    const wide = { ...seriesOf('loss', [5, 4, 3]), low: [4, 3, 2], high: [6, 5, 4] };
    expect(made([wide])).toContain('fill-opacity="0.24"');
    expect(made([seriesOf('loss', [5, 4])])).not.toContain('fill-opacity');
  });

  test('marks within the window are lines with their words', () => {
    const marks = [
      { x: 2, label: 'NaN <here>', tone: 'bad' as const },
      { x: 9, label: 'later' },
    ];
    const text = made([], { options: { label: 'Loss', marks } });
    expect(text).toContain('<title>NaN &lt;here&gt;</title>');
    expect(text).not.toContain('later');
  });

  test('no name can become markup', () => {
    const text = made([seriesOf('<script>"&\u0007', [1, 2])], {
      options: { label: '<img src=x>' },
    });
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&lt;script&gt;&quot;&amp;�');
  });

  test('many series need several rows', () => {
    const tall = (n: number): number => {
      const all = Array.from({ length: n }, (_, i) => seriesOf(`series number ${i}`, [1]));
      return Number(/height="(\d+)"/.exec(made(all))?.[1]);
    };
    expect(tall(20)).toBeGreaterThan(tall(2) + 60);
  });

  test('nothing', () => {
    expect(made([])).toContain('</svg>');
  });
});
