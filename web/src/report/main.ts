// A report: draws the charts of the page and makes its tables sortable. Without it the
// page still has all text and all figures.

import { drawBars } from '../charts/bars';
import { drawBox } from '../charts/box';
import { Place, State } from '../charts/chart';
import { drawHeatmap } from '../charts/heatmap';
import { drawHistogram } from '../charts/histogram';
import { drawLines } from '../charts/lines';
import { drawMatrix } from '../charts/matrix';
import { drawPie } from '../charts/pie';
import { drawRoc } from '../charts/roc';
import { followContents } from './contents';
import { refreshWhileRunning } from './refresh';
import { improveTables } from './tables';
import { themeButton } from './theme';

// The data is written by warden/report/charts.cc, which keeps to what each kind documents.
const DRAW: Record<string, (data: never, place: Place) => void> = {
  bars: drawBars,
  box: drawBox,
  heatmap: drawHeatmap,
  histogram: drawHistogram,
  lines: drawLines,
  matrix: drawMatrix,
  pie: drawPie,
  roc: drawRoc,
};

function drawFigure(figure: HTMLElement): void {
  const into = figure.querySelector<HTMLElement>('.plot');
  const source = figure.querySelector('script[type="application/json"]');
  const draw = DRAW[figure.dataset['kind'] ?? ''];
  if (!into || !source || !draw) return;
  const data = JSON.parse(source.textContent ?? '{}') as never;
  const state = new State();
  let width = 0;
  const redraw = (): void => {
    into.replaceChildren();
    draw(data, { into, width, xLabel: figure.dataset['x'] ?? '', yLabel: figure.dataset['y'] ?? '', state, redraw });
  };
  const fit = (): void => {
    const room = Math.max(240, Math.floor(into.clientWidth));
    if (Math.abs(room - width) < 4) return;
    width = room;
    redraw();
  };
  fit();
  new ResizeObserver(fit).observe(into);
}

function main(): void {
  document.documentElement.classList.add('js');
  const controls = document.querySelector<HTMLElement>('header .controls');
  if (controls) controls.append(themeButton());
  for (const figure of document.querySelectorAll<HTMLElement>('figure.chart')) {
    try {
      drawFigure(figure);
    } catch (error) {
      // One chart that cannot be drawn must not take the others with it; its figures are below it.
      console.error('cannot draw', figure.querySelector('figcaption')?.textContent, error);
    }
  }
  improveTables();
  followContents();
  refreshWhileRunning(controls);
}

main();
