// The files of a report.

import type { ReportFiles } from '../../api/types';

const SIZES = ['B', 'kB', 'MB', 'GB'];

// "850 B", "1.5 kB".
export function bytes(size: number): string {
  let [scaled, step] = [size, 0];
  while (scaled >= 999.5 && step < SIZES.length - 1) {
    scaled /= 1000;
    ++step;
  }
  return `${scaled >= 99.5 || step === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${SIZES[step]}`;
}

// The page to open: one at the top if there are several.
export const pageOf = ({ files }: ReportFiles): string | undefined =>
  files.find(({ path }) => path.endsWith('.html') && !path.includes('/'))?.path ??
  files.find(({ path }) => path.endsWith('.html'))?.path;
