// The order of table cells by their text, with the units that warden/report/words.cc writes.

const FACTORS = new Map([
  ['µs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['day', 86400],
  ['days', 86400],
  ['B/s', 1],
  ['kB/s', 1e3],
  ['MB/s', 1e6],
  ['GB/s', 1e9],
  ['TB/s', 1e12],
]);

// "1,234" is 1234, "2 min 05 s" is 125, "3 kB/s" is 3000. Text without a number sorts below all.
export function amountOf(text: string): number {
  const plain = text.replace(/,/g, '').replace('−', '-');
  const first = parseFloat(plain);
  if (Number.isNaN(first)) return -Infinity;
  let sum = 0;
  let known = false;
  for (const [, number, unit = ''] of plain.matchAll(/([\d.]+(?:e[-+]?\d+)?) ([a-zµ/]+)/gi)) {
    const factor = FACTORS.get(unit);
    if (factor === undefined) return first;
    sum += Number(number) * factor;
    known = true;
  }
  if (!known) return first;
  return plain.startsWith('-') ? -sum : sum;
}

export function compareCells(a: string, b: string, numeric: boolean): number {
  if (!numeric) return a.localeCompare(b, 'en', { numeric: true });
  const [x, y] = [amountOf(a), amountOf(b)];
  return x === y ? 0 : x - y;
}
