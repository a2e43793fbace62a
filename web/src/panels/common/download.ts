// Downloads from the server. A browser adds no session to a link, so the URL with its ticket is
// requested on the click.

import { addressOf, type Client, type Query } from '../../api/client';
import { html } from '../../base/dom';

interface Context {
  readonly client: Client;
  announce: (words: string, tone?: 'plain' | 'warning') => void;
}

export interface Downloaded {
  path: string; // As for Client.get().
  query?: Query;
  file: string; // The name to save it under; '': the server's.
}

export async function download(context: Context, what: Downloaded): Promise<void> {
  const answer = await context.client.linkTo(what.path, what.query);
  if (!answer.ok) {
    context.announce(`Could not download the file: ${answer.error.message}`, 'warning');
    return;
  }
  const link = html('a', { href: answer.value, download: what.file, hidden: '' });
  document.body.append(link);
  link.click();
  link.remove();
}

export function downloadLink(
  context: Context,
  what: Downloaded,
  words: string,
  attributes: Record<string, string> = {},
): HTMLAnchorElement {
  const href = addressOf(what.path, what.query);
  const link = html('a', { ...attributes, href, download: what.file }, words);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void download(context, what);
  });
  return link;
}
