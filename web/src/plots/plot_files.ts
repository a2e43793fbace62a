// Files that the page makes itself, for the reader to keep.

import { html } from '../base/dom';

// A name that every system accepts: 'run 1/loss' -> 'run-1-loss'.
export const fileName = (words: string): string =>
  words
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 100) || 'chart';

export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = html('a', { href: address, download: name, hidden: '' });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // The browser reads it now.
}

const SHARP = 2; // Pixels of the picture for each of the page.

// Null if the browser cannot draw it.
export async function pngOf(picture: string): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const canvas = html('canvas', { width: image.width * SHARP, height: image.height * SHARP });
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}
