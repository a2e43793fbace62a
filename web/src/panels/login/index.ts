// Asks for the token, or uses the token from the link that `warden serve` prints.

import './panel.css';
import type { Client } from '../../api/client';
import { html } from '../../base/dom';

// token: '' to ask for it. entered: called when the session has begun.
export function openLogin(
  client: Client,
  token: string,
  into: HTMLElement,
  entered: () => void,
): void {
  const field = html('input', {
    type: 'password',
    name: 'token',
    autocomplete: 'current-password',
    required: '',
    spellcheck: 'false',
  });
  const enter = html('button', { type: 'submit', class: 'button primary' }, 'Open the dashboard');
  const problem = html('p', { class: 'notice bad', role: 'alert', hidden: '' });
  const form = html(
    'form',
    { class: 'card login' },
    html('h1', {}, 'Tensorwarden'),
    html('p', { class: 'quiet' }, 'Enter the access token of this service.'),
    html('label', { class: 'field' }, 'Token', field),
    problem,
    enter,
    html(
      'p',
      { class: 'quiet login-help' },
      html('code', {}, 'warden serve'),
      ' prints a link that contains the token. Open that link, or copy the part after ',
      html('code', {}, 'token='),
      '.',
    ),
  );

  const send = async (given: string): Promise<void> => {
    enter.disabled = true;
    const answer = await client.signIn(given);
    enter.disabled = false;
    if (answer.ok) {
      entered();
      return;
    }
    const wrong = answer.error.status === 401 || answer.error.status === 403;
    const refusal = given.startsWith('view-')
      ? 'This link has expired or was revoked'
      : 'Wrong token';
    problem.textContent = wrong ? refusal : `Could not sign in: ${answer.error.message}`;
    problem.hidden = false;
    field.focus();
    field.select();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    problem.hidden = true;
    void send(field.value.trim());
  });
  into.replaceChildren(form);
  if (token) void send(token);
  else field.focus();
}
