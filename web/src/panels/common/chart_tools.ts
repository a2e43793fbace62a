// Tools above a chart: full screen, and downloads.

import './chart_tools.css';
import { html } from '../../base/dom';
import { fileName, pngOf, save } from '../../plots/plot_files';
import { iconButton } from '../../plots/tool_icons';
import { csvOf, jsonOf } from '../../plots/plot_values';
import type { PlotSeries, SeriesPlot } from '../../plots/series_plot';
import { Menu } from './menu';

export interface Downloadable {
  plot: () => SeriesPlot | null;
  measured: () => readonly PlotSeries[]; // Before smoothing.
  label: () => string;
  xName: () => string; // 'step'.
  file: () => string; // The name of the file, without its ending.
}

// CSV and JSON have the measured values of what is shown; pictures are as on the screen.
export function downloadMenu(what: Downloadable): HTMLElement {
  const keep = (content: BlobPart | Blob, type: string, ending: string): void =>
    save(new Blob([content], { type }), `${fileName(what.file())}.${ending}`);
  const shown = (plot: SeriesPlot): PlotSeries[] =>
    what.measured().filter(({ name }) => !plot.hidden.has(name));
  const item = (
    label: string,
    act: (plot: SeriesPlot) => void,
  ): { label: string; act: () => void } => ({
    label,
    act: () => {
      const plot = what.plot();
      if (plot) act(plot);
    },
  });
  return new Menu(iconButton('download', `Download ${what.label()}`), [
    item('CSV', (plot) => keep(csvOf(shown(plot), plot.window, what.xName()), 'text/csv', 'csv')),
    item('JSON', (plot) =>
      keep(
        jsonOf(what.label(), shown(plot), plot.window, what.xName()),
        'application/json',
        'json',
      ),
    ),
    item('PNG', (plot) => {
      void pngOf(plot.picture()).then((png) => png && keep(png, 'image/png', 'png'));
    }),
    item('SVG', (plot) => keep(plot.picture(), 'image/svg+xml', 'svg')),
  ]).element;
}

const MARGINS = 130; // Pixels of a full screen that are not the plot: head, legend, edges.

// Shows an element alone, in the whole window, until Escape or the button in it is pressed.
// height: tells how high the plot is to be; null: as before. closed: it is back in its place.
function showFull(
  element: HTMLElement,
  label: string,
  height: (pixels: number | null) => void,
  closed: () => void,
): () => void {
  const place = html('span', { hidden: '' });
  element.replaceWith(place);
  const dialog = html('dialog', { class: 'common-full', 'aria-label': label }, element);
  const fit = (): void => height(Math.max(200, window.innerHeight - MARGINS));
  const close = (): void => {
    if (!dialog.isConnected) return;
    removeEventListener('resize', fit);
    place.replaceWith(element);
    dialog.remove();
    height(null);
    closed();
  };
  dialog.addEventListener('close', close);
  addEventListener('resize', fit);
  document.body.append(dialog);
  dialog.showModal();
  fit();
  return close;
}

interface FullActions {
  height: (pixels: number | null) => void; // As for showFull().
  changed: (open: boolean) => void; // The reader opened or closed it.
}

// The button that shows a chart alone, and brings it back.
export class FullScreen {
  readonly button: HTMLButtonElement;
  private leave: (() => void) | null = null;
  private closed = false;

  constructor(
    private readonly body: HTMLElement,
    private readonly label: string,
    private readonly actions: FullActions,
  ) {
    this.button = iconButton('full', `Full screen: ${label}`);
    this.button.addEventListener('click', () => {
      const open = this.leave === null;
      this.set(open);
      if (open) actions.changed(true);
    });
  }

  set(open: boolean): void {
    if (open === (this.leave !== null)) return;
    if (!open) {
      this.leave?.();
      return;
    }
    this.leave = showFull(this.body, this.label, this.actions.height, () => this.left());
    this.button.setAttribute('aria-pressed', 'true');
  }

  close(): void {
    this.closed = true;
    this.leave?.();
  }

  private left(): void {
    this.leave = null;
    if (this.closed) return;
    this.button.setAttribute('aria-pressed', 'false');
    this.button.focus();
    this.actions.changed(false);
  }
}
