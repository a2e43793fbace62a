// A field for each parameter of a rule. Empty fields use the default.

import type { CatalogueRule } from '../../api/types';
import { html } from '../../base/dom';

type Parameter = CatalogueRule['parameters'][number];
type Field = HTMLInputElement | HTMLSelectElement;

const CHOICES: Record<string, string[]> = {
  bool: ['true', 'false'],
  mode: ['TRAIN', 'EVAL', 'PREDICT', 'GLOBAL'],
};
const KEYBOARDS: Record<string, string> = { number: 'decimal', integer: 'numeric' };

function fieldOf(parameter: Parameter, value: string): Field {
  const usual = parameter.default === null ? 'none' : `${parameter.default}`;
  const choices = CHOICES[parameter.type];
  if (!choices) {
    const field = html('input', {
      placeholder: usual,
      autocomplete: 'off',
      spellcheck: 'false',
      inputmode: KEYBOARDS[parameter.type] ?? 'text',
    });
    field.value = value;
    return field;
  }
  const field = html(
    'select',
    {},
    html('option', { value: '' }, `default (${usual})`),
    ...choices.map((one) => html('option', { value: one }, one)),
  );
  field.value = choices.find((one) => one.toLowerCase() === value.toLowerCase()) ?? '';
  return field;
}

export class ParameterFields {
  readonly element = html('div', { class: 'control-fields' });
  private readonly fields = new Map<string, Field>();

  show(rule: CatalogueRule, values: Record<string, string>): void {
    this.fields.clear();
    this.element.replaceChildren(
      ...rule.parameters.map((parameter, i) => {
        const field = fieldOf(parameter, values[parameter.name] ?? '');
        const help = html(
          'span',
          { class: 'control-help', id: `control-help-${i}` },
          `${parameter.doc}. Accepted: ${parameter.accepted}.`,
        );
        field.setAttribute('aria-describedby', help.id);
        this.fields.set(parameter.name, field);
        return html(
          'div',
          { class: 'control-parameter' },
          html('label', { class: 'field' }, parameter.name, field),
          help,
        );
      }),
    );
  }

  values(): Record<string, string> {
    const given = [...this.fields].map(([name, field]) => [name, field.value.trim()] as const);
    return Object.fromEntries(given.filter(([, value]) => value !== ''));
  }
}
