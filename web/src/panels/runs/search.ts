// Search syntax for runs: words, 'lr=0.1', 'epochs>5', 'status:failed', 'has:findings', '-word';
// all terms must match.

import type { RunSummary } from '../../api/types';
import { runStatus } from '../../api/words';

export type Test = (run: RunSummary) => boolean;

// Words as typed; "quoted ones" stay together.
export function wordsOf(search: string): string[] {
  return (search.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [])
    .map((word) => word.replaceAll('"', ''))
    .filter((word) => word !== '');
}

const lower = (text: string): string => text.toLowerCase();
const own = (record: Record<string, string>, name: string): string | undefined =>
  Object.entries(record).find(([key]) => lower(key) === name)?.[1];

function compared(value: string, operator: string, wanted: string): boolean {
  const [a, b] = [Number(value), Number(wanted)];
  const numbers =
    value.trim() !== '' && wanted.trim() !== '' && !Number.isNaN(a) && !Number.isNaN(b);
  const same = numbers ? a === b : lower(value) === lower(wanted);
  if (operator === '=') return same;
  if (operator === '!=') return !same;
  if (!numbers) return false;
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  return operator === '<=' ? a <= b : a >= b;
}

// 'lr=0.1': a hyperparameter or a tag.
function comparison(word: string): Test | null {
  const [, name = '', operator = '', wanted = ''] =
    /^([^=<>!:]+)(!=|<=|>=|=|<|>)(.*)$/.exec(word) ?? [];
  if (!operator) return null;
  const key = lower(name);
  return (run) => {
    if (key === 'step' && run.last_step !== null)
      return compared(String(run.last_step), operator, wanted);
    if (key === 'findings') return compared(String(run.findings), operator, wanted);
    const value = own(run.hyper_parameters, key) ?? own(run.tags, key);
    return value === undefined ? operator === '!=' : compared(value, operator, wanted);
  };
}

const FLAGS = new Map<string, Test>([
  ['findings', (run) => run.findings > 0],
  [
    'healthy',
    (run) =>
      run.findings === 0 && run.rules.total > 0 && run.rules.no_data + run.rules.errors === 0,
  ],
  ['unevaluated', (run) => run.rules.not_evaluated > 0],
  ['errors', (run) => run.rules.errors > 0],
]);

// 'status:failed'.
function facet(word: string): Test | null {
  const [, name = '', wanted = ''] = /^(status|kind|tag|host|has|folder):(.*)$/i.exec(word) ?? [];
  const value = lower(wanted);
  switch (lower(name)) {
    case 'status':
      return (run) =>
        lower(run.status).startsWith(value) || lower(runStatus(run.status).words).startsWith(value);
    case 'kind':
      return (run) => run.kind.startsWith(value);
    case 'tag':
      return (run) => own(run.tags, value) !== undefined;
    case 'host':
      return (run) => run.hosts.some((host) => lower(host).includes(value));
    case 'folder':
      return (run) => lower(run.folder).includes(value);
    case 'has':
      return FLAGS.get(value) ?? null;
    default:
      return null;
  }
}

// Everything of a run that a plain word can match. Cached: there can be thousands of runs.
const known = new WeakMap<RunSummary, string>();
function textOf(run: RunSummary): string {
  let text = known.get(run);
  if (text === undefined) {
    const pairs = [...Object.entries(run.tags), ...Object.entries(run.hyper_parameters)];
    const words = [run.name, run.id, run.folder, ...pairs.map(([key, value]) => `${key}=${value}`)];
    text = lower(words.join('\n'));
    known.set(run, text);
  }
  return text;
}

function testOf(word: string): Test {
  if (word.length > 1 && word.startsWith('-')) {
    const but = testOf(word.slice(1));
    return (run) => !but(run);
  }
  const text = lower(word);
  return facet(word) ?? comparison(word) ?? ((run): boolean => textOf(run).includes(text));
}

// tags: 'team=vision' or 'baseline', as in the URL.
export function searchTest(search: string, tags: string[]): Test {
  const tests = wordsOf(search).map(testOf);
  for (const tag of tags) {
    const equals = tag.indexOf('=');
    if (equals < 0) tests.push((run) => Object.hasOwn(run.tags, tag));
    else
      tests.push(
        (run) =>
          Object.hasOwn(run.tags, tag.slice(0, equals)) &&
          run.tags[tag.slice(0, equals)] === tag.slice(equals + 1),
      );
  }
  return (run) => tests.every((test) => test(run));
}
