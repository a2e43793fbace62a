// The log in an exported page: what the server would answer if it had no other lines.

import { plainLine } from '../base/plain_line';
import type { LogPage } from './types';

// log: the last lines. query: of GET runs/ID/logs.
export function partOfLog(log: LogPage, query: URLSearchParams): LogPage {
  const first = log.lines[0]?.position ?? 0;
  const kept = log.kept
    .filter(([, end]) => end > first)
    .map(([begin, end]): [number, number] => [Math.max(begin, first), end]);
  const whole = { ...log, kept, older: false };
  if (query.has('after') || query.has('before')) return { ...whole, lines: [] };
  const wanted = (query.get('q') ?? '').toLowerCase();
  const level = query.get('level') ?? '';
  const lines = log.lines.filter(
    (line) =>
      (level === '' || line.level === 'error' || line.level === level) &&
      plainLine(line.text).toLowerCase().includes(wanted),
  );
  const moment = query.get('at');
  if (moment === null) return { ...whole, lines };
  const at = log.lines.find(({ time }) => time >= Number(moment));
  return { ...whole, lines, here: at?.position ?? Number(log.next) };
}
