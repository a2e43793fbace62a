// A report: draws the charts of the page and makes its tables sortable. Without it the page still
// has all text and values.

import { drawChart } from '../charts/draw';
import { improveTables } from '../base/tables';
import { followContents } from './contents';
import { refreshWhileRunning } from './refresh';
import { themeButton } from '../base/theme';

function drawFigure(figure: HTMLElement): void {
  const into = figure.querySelector<HTMLElement>('.plot');
  const source = figure.querySelector('script[type="application/json"]');
  if (!into || !source) return;
  const { kind = '', x = '', y = '' } = figure.dataset;
  drawChart(into, { kind, xLabel: x, yLabel: y, data: JSON.parse(source.textContent) });
}

function main(): void {
  document.documentElement.classList.add('js');
  const controls = document.querySelector<HTMLElement>('header .controls');
  if (controls) controls.append(themeButton());
  for (const figure of document.querySelectorAll<HTMLElement>('figure.chart')) {
    try {
      drawFigure(figure);
    } catch (error) {
      // A chart that fails must not affect the others; its table is below it.
      console.error('cannot draw', figure.querySelector('figcaption')?.textContent, error);
    }
  }
  improveTables();
  followContents();
  refreshWhileRunning(controls);
}

main();
