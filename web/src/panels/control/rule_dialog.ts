// Adds a profiler rule to a running job, or adds one it already has with other parameters. The form
// is built from the rule catalog.

import { below } from '../../api/client';
import type { CatalogueRule, RuleView, RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import type { ControlContext } from './context';
import { ParameterFields } from './parameter_fields';

class RuleDialog {
  private readonly dialog: HTMLDialogElement;
  private readonly choice = html('select', {});
  private readonly name = html('input', { autocomplete: 'off', spellcheck: 'false' });
  private readonly doc = html('p', { class: 'quiet' });
  private readonly fields = new ParameterFields();
  private readonly problem = html('p', { class: 'notice bad', role: 'alert', hidden: '' });
  private readonly submit = html(
    'button',
    { type: 'submit', class: 'button primary' },
    'Add the rule',
  );
  private catalogue: CatalogueRule[] = [];

  constructor(
    private readonly context: ControlContext,
    private readonly run: RunDetail,
    into: HTMLElement,
  ) {
    const cancel = html('button', { type: 'button', class: 'button' }, 'Cancel');
    const form = html(
      'form',
      { class: 'control-form' },
      html('label', { class: 'field' }, 'Rule', this.choice),
      this.doc,
      html('label', { class: 'field' }, 'Name', this.name),
      this.fields.element,
      this.problem,
      html('div', { class: 'row answers' }, cancel, this.submit),
    );
    this.dialog = html(
      'dialog',
      { class: 'control-rule', 'aria-labelledby': 'control-rule-title' },
      html('h2', { id: 'control-rule-title' }, 'Profiler rules'),
      form,
    );
    cancel.addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('close', () => this.dialog.remove());
    this.choice.addEventListener('change', () => this.chosen());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.send();
    });
    into.append(this.dialog);
    this.dialog.showModal();
    void this.load();
  }

  private async load(): Promise<void> {
    this.submit.disabled = true;
    const answer = await this.context.client.get<CatalogueRule[]>('rules');
    if (!answer.ok) {
      this.fail(`Could not load the rules: ${answer.error.message}`);
      return;
    }
    this.catalogue = answer.value.filter(({ kind }) => kind === 'profiler');
    const own = this.own();
    if (own.length > 0) {
      const group = html('optgroup', { label: 'Rules of this run, with other parameters' });
      group.append(...own.map((rule) => html('option', { value: `own:${rule.name}` }, rule.name)));
      this.choice.append(group);
    }
    const others = html('optgroup', { label: 'New rules' });
    others.append(
      ...this.catalogue.map(({ name }) => html('option', { value: `new:${name}` }, name)),
    );
    this.choice.append(others);
    const first = others.firstElementChild as HTMLOptionElement | null;
    if (first) this.choice.value = first.value;
    this.submit.disabled = this.catalogue.length === 0;
    this.chosen();
  }

  // Rules of the run that can be added again with other parameters.
  private own(): RuleView[] {
    return this.run.rules_seen.filter(
      ({ kind, rule }) => kind === 'profiler' && this.catalogue.some(({ name }) => name === rule),
    );
  }

  private picked(): { rule: CatalogueRule; own: RuleView | undefined } | null {
    const value = this.choice.value;
    const own = value.startsWith('own:')
      ? this.own().find(({ name }) => `own:${name}` === value)
      : undefined;
    const rule = this.catalogue.find(({ name }) => name === (own?.rule ?? value.slice(4)));
    return rule ? { rule, own } : null;
  }

  private chosen(): void {
    const picked = this.picked();
    if (!picked) return;
    const { rule, own } = picked;
    this.doc.textContent = rule.doc;
    this.name.value = own?.name ?? '';
    this.name.placeholder = rule.name;
    this.name.readOnly = own !== undefined;
    this.submit.textContent = own ? 'Add with these parameters' : 'Add the rule';
    this.problem.hidden = true;
    this.fields.show(rule, own?.parameters ?? {});
  }

  private async send(): Promise<void> {
    const picked = this.picked();
    if (!picked) return;
    const name = this.name.value.trim();
    this.submit.disabled = true;
    const body = {
      rule: picked.rule.name,
      ...(name ? { name } : {}),
      parameters: this.fields.values(),
    };
    const answer = await this.context.client.send('POST', below(this.run.id, 'rules'), body);
    this.submit.disabled = false;
    if (!answer.ok) {
      this.fail(answer.error.message); // Unchanged: it may start with the name of a parameter.
      return;
    }
    this.dialog.close();
    this.context.announce(`Rule added: ${name || picked.rule.name}`);
    this.context.reload();
  }

  private fail(words: string): void {
    this.problem.textContent = words;
    this.problem.hidden = false;
  }
}

export function openRuleDialog(context: ControlContext, run: RunDetail, into: HTMLElement): void {
  new RuleDialog(context, run, into);
}
