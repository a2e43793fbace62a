// Times as the timeline writes them. All are microseconds.

import { duration, elapsed, figure } from '../../../base/format';

// How long something takes: "850 ns", "12.3 µs", "4.07 s".
export function span(us: number): string {
  if (!Number.isFinite(us)) return '–';
  if (us !== 0 && Math.abs(us) < 1) return `${figure(us * 1000)} ns`;
  return duration(us / 1e6);
}

// A time since the start, with enough decimals to distinguish times `step` apart: "1:05", "12.345
// 675 s".
export function moment(us: number, step: number): string {
  const seconds = us / 1e6;
  if (step >= 1e6 && Math.abs(seconds) >= 60) return elapsed(seconds);
  // As many decimals as the tick step has: 2.5 has one.
  const digits = String(Number((Math.max(step, 1e-4) / 1e6).toPrecision(2)).toFixed(9)).replace(
    /0+$/,
    '',
  );
  const decimals = digits.length - digits.indexOf('.') - 1;
  const [whole = '0', part = ''] = seconds.toFixed(decimals).split('.');
  const grouped = part.replace(/(\d{3})(?=\d)/g, '$1\u202f');
  return `${whole}${grouped ? `.${grouped}` : ''} s`.replace(/^-(0(\.[0\u202f]*)? s)$/, '$1');
}

export const many = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

// "12.5 %", with another decimal below 10 %; "–" of nothing.
export const share = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(part / whole < 0.1 ? 2 : 1)} %` : '–';
