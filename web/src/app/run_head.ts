// The heading of a run: name, status, controls, and links to its panels.

import type { Exported } from '../api/exported';
import type { LiveState } from '../api/live';
import type { RunDetail } from '../api/types';
import { isRunning, runStatus } from '../api/words';
import { html } from '../base/dom';
import { type ControlBar, openControl } from '../panels/control';
import { exportNote } from './export_note';
import { shownName } from '../panels/common/run_names';
import type { PageHost } from './page';
import { PANELS } from './panels';
import { routeAddress } from './router';
import { RunMarksLine } from './run_marks';

export interface HeadActions {
  reload: () => void;
  setPaused: (paused: boolean) => void;
}

export class RunHead {
  readonly element: HTMLElement;
  private readonly exported: Exported | null;
  private readonly name = html('h1');
  private readonly status = html('span', { class: 'badge dot' });
  private readonly marks: RunMarksLine;
  private readonly links = new Map<string, HTMLAnchorElement>();
  private readonly control: ControlBar | null;

  constructor(run: RunDetail, host: PageHost, actions: HeadActions) {
    const tabs = html('ul', { class: 'tabs' });
    for (const { id, title } of PANELS) {
      const link = html(
        'a',
        {
          href: routeAddress({
            page: 'run',
            run: run.id,
            panel: id,
            params: new URLSearchParams(),
          }),
        },
        title,
      );
      this.links.set(id, link);
      tabs.append(html('li', {}, link));
    }
    const place = html('div', { class: 'control' });
    this.exported = host.exported;
    if (host.exported) place.append(exportNote(host.exported));
    this.control = host.exported
      ? null
      : openControl({ ...host.context(), run, ...actions }, place);
    this.marks = new RunMarksLine(host, actions.reload);
    this.element = html(
      'div',
      {},
      html('div', { class: 'run-head' }, this.name, this.status, this.marks.edit, place),
      this.marks.element,
      html('nav', { class: 'run-tabs', 'aria-label': 'Panels of this run' }, tabs),
    );
  }

  update(run: RunDetail, open: string): void {
    this.name.textContent = shownName(run);
    this.marks.update(run);
    const { words, tone } = runStatus(run.status);
    this.status.className = `badge dot ${tone}`;
    const more = isRunning(run) && run.secondary !== words ? run.secondary : '';
    this.status.textContent = more ? `${words} · ${more}` : words;
    this.status.title = run.message;
    for (const panel of PANELS) {
      const missing = this.exported?.missing(panel.id) || panel.missing(run);
      this.mark(panel.id, missing, panel.id === open);
      this.links
        .get(panel.id)
        ?.parentElement?.toggleAttribute('hidden', panel.hidden?.(run) ?? false);
    }
    this.control?.update(run);
  }

  setConnection(state: LiveState): void {
    this.control?.setConnection(state);
  }

  close(): void {
    this.control?.close();
  }

  private mark(id: string, missing: string, current: boolean): void {
    const link = this.links.get(id);
    if (!link) return;
    if (missing) link.dataset['missing'] = '';
    else delete link.dataset['missing'];
    link.title = missing;
    if (current && !link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (!current) {
      link.removeAttribute('aria-current');
    }
  }
}
