// Draws a chart of any kind into an element, and again when its width changes.

import { drawBars } from './bars';
import { drawBox } from './box';
import { type Place, State } from './chart';
import { drawHeatmap } from './heatmap';
import { drawHistogram } from './histogram';
import { drawLines } from './lines';
import { drawMatrix } from './matrix';
import { drawPie } from './pie';
import { drawRoc } from './roc';
import { drawUnitCurves } from './unit_curves';

// warden/report/charts.cc writes the data in the format that each kind documents.
const DRAW: Record<string, (data: never, place: Place) => void> = {
  bars: drawBars,
  box: drawBox,
  heatmap: drawHeatmap,
  histogram: drawHistogram,
  lines: drawLines,
  matrix: drawMatrix,
  pie: drawPie,
  roc: drawRoc,
  unit: drawUnitCurves, // Only in the dashboard.
};

export interface Drawn {
  kind: string;
  xLabel: string;
  yLabel: string;
  data: unknown;
}

const LEAST_WIDTH = 240;

// `into` must be on the page. Returns a function that stops redrawing. Unknown kinds are skipped.
export function drawChart(into: HTMLElement, { kind, xLabel, yLabel, data }: Drawn): () => void {
  const draw = Object.hasOwn(DRAW, kind) ? DRAW[kind] : undefined;
  if (!draw) return () => undefined;
  const state = new State();
  let width = 0;
  const redraw = (): void => {
    into.replaceChildren();
    draw(data as never, { into, width, xLabel, yLabel, state, redraw });
  };
  const fit = (): void => {
    const room = Math.max(LEAST_WIDTH, Math.floor(into.clientWidth));
    if (Math.abs(room - width) < 4) return;
    width = room;
    redraw();
  };
  fit();
  const watch = new ResizeObserver(fit);
  watch.observe(into);
  return () => watch.disconnect();
}
