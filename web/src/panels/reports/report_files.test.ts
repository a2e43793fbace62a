import { describe, expect, test } from 'vitest';
import { bytes, pageOf } from './report_files';

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1540, '1.5 kB'],
  [99_400, '99.4 kB'],
  [99_600, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [5e12, '5000 GB'],
])('%i bytes: %s', (size, text) => {
  expect(bytes(size)).toBe(text);
});

describe('pageOf', () => {
  const page = (...paths: string[]): string | undefined =>
    pageOf({
      name: 'r',
      title: '',
      kind: 'profiler',
      modified: 0,
      files: paths.map((path) => ({ path, bytes: 1 })),
    });

  test('a page at the top before one in a folder', () => {
    expect(page('data/a.html', 'report.ipynb', 'report.html')).toBe('report.html');
    expect(page('x.json', 'data/a.html')).toBe('data/a.html');
  });

  test('none', () => {
    expect(page()).toBeUndefined();
    expect(page('html', 'a.html.gz')).toBeUndefined();
  });
});
