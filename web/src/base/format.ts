// Numbers as text, in the same format as warden/report/words.cc.

// Created once: creating a formatter takes longer than formatting a thousand numbers.
const FORMATS = [0, 1, 2, 3].map(
  (most) => new Intl.NumberFormat('en', { maximumFractionDigits: most }),
);

const LARGEST = 1e15; // Beyond it digits mean nothing.

export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return String(Number(value.toPrecision(2)));
  if (size >= LARGEST) return value.toExponential(2).replace(/\.?0+e/, 'e');
  const decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 || size === 0 ? 2 : 3;
  return (FORMATS[decimals] as Intl.NumberFormat).format(value || 0); // "|| 0": avoids minus zero.
}

const BYTES = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];

export function withUnit(value: number, unit: string): string {
  if (unit === 's') return duration(value);
  if (unit !== 'B/s') return unit ? `${figure(value)} ${unit}` : figure(value);
  let scaled = value;
  let step = 0;
  while (Math.abs(scaled) >= 999.5 && step < BYTES.length - 1) {
    scaled /= 1000;
    ++step;
  }
  return `${figure(scaled)} ${BYTES[step] ?? ''}`;
}

export function duration(seconds: number): string {
  const size = Math.abs(seconds);
  if (!Number.isFinite(size)) return '–';
  if (size === 0) return '0 s';
  if (size < 1e-3) return `${figure(seconds * 1e6)} µs`;
  if (size < 0.9995) return `${figure(seconds * 1e3)} ms`;
  return size < 119.5 ? `${figure(seconds)} s` : elapsed(seconds);
}

// "1:05", "2:03:20", "3 d 4:00:00".
export function elapsed(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const whole = Math.round(Math.abs(seconds));
  const sign = seconds < 0 && whole > 0 ? '−' : '';
  const two = (n: number): string => String(n).padStart(2, '0');
  const days = Math.floor(whole / 86400);
  const hours = Math.floor((whole % 86400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = two(whole % 60);
  if (days > 0) return `${sign}${days} d ${hours}:${two(minutes)}:${rest}`;
  return hours > 0 ? `${sign}${hours}:${two(minutes)}:${rest}` : `${sign}${minutes}:${rest}`;
}

export function utc(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
