// The filter language of the list of runs: 'lr>1e-3 tag:baseline status:failed name~regex "words"'.
// All pieces must match. A piece that cannot be read is reported and matches everything.

import type { RunSummary } from '../../api/types';
import { runSeconds, runStatus } from '../../api/words';
import { labelled, tagsOf } from '../common/run_names';
import { readBest, referenceOf } from './best_step';
import { type Aspect, type Catalogue, isAspect, isScalar, type ListedRun, valueOf } from './fields';

export type Test = (run: ListedRun) => boolean;

export interface FilterProblem {
  piece: string; // As typed.
  words: string; // What is wrong, and what is accepted.
}

export interface Filter {
  test: Test;
  problems: FilterProblem[];
  archived: boolean; // Archived runs are asked for.
}

interface Piece {
  raw: string; // As typed.
  text: string; // Without quotes and the minus.
  plain: string; // The same, with a blank in place of every quoted character.
  negated: boolean;
}

// Pieces as typed: blanks separate them, except within quotes.
export const piecesOf = (text: string): string[] =>
  text.match(/(?:"[^"]*"?|[^\s"])+/g)?.filter((raw) => raw.replaceAll('"', '') !== '') ?? [];

// Quoted where it needs to be.
export const quoted = (text: string): string =>
  /[\s"=<>!~:]/.test(text) || text.startsWith('-') ? `"${text.replaceAll('"', '')}"` : text;

function readPiece(raw: string): Piece {
  const negated = raw.length > 1 && raw.startsWith('-');
  let [text, plain, inside] = ['', '', false];
  for (const character of negated ? raw.slice(1) : raw) {
    if (character === '"') {
      inside = !inside;
      continue;
    }
    text += character;
    plain += inside ? ' '.repeat(character.length) : character;
  }
  return { raw, text, plain, negated };
}

const lower = (text: string): string => text.toLowerCase();
const list = (names: readonly string[]): string => names.join(', ');

function own(record: Record<string, string>, name: string): string | undefined {
  for (const key of Object.keys(record)) if (lower(key) === name) return record[key];
  return undefined;
}

// Numbers and texts that every run has.
const BUILT_IN = new Map<string, (run: ListedRun) => number | string | null>([
  ['step', (run) => run.last_step],
  ['findings', (run) => run.findings],
  ['duration', (run) => runSeconds(run, Date.now() / 1000)],
  ['name', (run) => run.marks.display_name || run.name],
  ['folder', (run) => run.folder],
  ['host', (run) => run.hosts.join('\n')],
  ['status', (run) => runStatus(run.status).words],
  ['note', (run) => run.marks.note],
  ['tag', (run) => tagsOf(run).join('\n')],
]);

const FLAGS = new Map<string, Test>([
  ['findings', (run) => run.findings > 0],
  [
    'healthy',
    (run) =>
      run.findings === 0 && run.rules.total > 0 && run.rules.no_data + run.rules.errors === 0,
  ],
  ['unevaluated', (run) => run.rules.not_evaluated > 0],
  ['errors', (run) => run.rules.errors > 0],
  ['note', (run) => run.marks.note !== ''],
]);
const STATES = new Map<string, Test>([
  ['archived', (run) => run.marks.archived],
  ['baseline', (run) => run.marks.baseline],
]);
const KINDS = ['folder', 'job'];
const STATUSES: RunSummary['status'][] = [
  'InProgress',
  'Completed',
  'Failed',
  'Stopping',
  'Stopped',
  'Unknown',
];
const STATUS_WORDS = STATUSES.map((status) => lower(runStatus(status).words));
const FACETS = ['status', 'tag', 'has', 'is', 'kind', 'host', 'folder'];
const EXAMPLES = 8; // Names listed in a message.

class Unreadable extends Error {}

function known<T>(map: ReadonlyMap<string, T>, what: string, value: string): T {
  const found = map.get(value);
  if (found === undefined)
    throw new Unreadable(`unknown ${what} '${value}'; expected one of: ${list([...map.keys()])}`);
  return found;
}

function statusTest(value: string): Test {
  const wanted = STATUSES.filter(
    (status, i) => lower(status).startsWith(value) || STATUS_WORDS[i]?.startsWith(value),
  );
  if (value === '' || wanted.length === 0)
    throw new Unreadable(`unknown status '${value}'; expected one of: ${list(STATUS_WORDS)}`);
  return (run) => wanted.includes(run.status);
}

// 'baseline', 'team' or 'team=vision'.
function tagTest(value: string): Test {
  if (value === '') throw new Unreadable('expected the name of a tag after tag:');
  return (run) =>
    run.marks.tags.some((tag) => lower(tag) === value) ||
    Object.entries(run.tags).some(
      ([name, text]) => lower(name) === value || lower(labelled(name, text)) === value,
    );
}

// 'status:failed'.
function facetTest(name: string, wanted: string): Test {
  const value = lower(wanted);
  switch (name) {
    case 'status':
      return statusTest(value);
    case 'tag':
      return tagTest(value);
    case 'has':
      return known(FLAGS, 'property', value);
    case 'is':
      return known(STATES, 'state', value);
    case 'kind': {
      if (value === '' || !KINDS.some((kind) => kind.startsWith(value)))
        throw new Unreadable(`unknown kind '${value}'; expected one of: ${list(KINDS)}`);
      return (run) => run.kind.startsWith(value);
    }
    case 'host':
      return (run) => run.hosts.some((host) => lower(host).includes(value));
    default:
      return (run) => lower(run.folder).includes(value);
  }
}

function compared(value: number | string, operator: string, wanted: string): boolean {
  const number = Number(wanted);
  const numbers = Number(value);
  const both =
    wanted.trim() !== '' &&
    !Number.isNaN(number) &&
    String(value).trim() !== '' &&
    !Number.isNaN(numbers);
  if (operator === '=' || operator === '!=') {
    const same = both ? numbers === number : lower(String(value)) === lower(wanted);
    return same === (operator === '=');
  }
  if (!both) return false;
  if (operator === '<') return numbers < number;
  if (operator === '>') return numbers > number;
  return operator === '<=' ? numbers <= number : numbers >= number;
}

// By name: something that every run has, a hyperparameter, a tag or the last value of a scalar;
// 'min:loss' and 'max:loss' for the others, 'at:accuracy@min:loss' where another one is best.
function reader(name: string): (run: ListedRun) => number | string | null {
  const [, aspect = '', scalar = ''] = /^([a-z]+):(.+)$/s.exec(name) ?? [];
  if (isAspect(aspect)) return (run) => scalarOf(run, aspect, scalar);
  if (aspect === 'at') return (run) => bestOf(run, scalar);
  const built = BUILT_IN.get(name);
  if (built) return built;
  return (run) =>
    own(run.hyper_parameters, name) ?? own(run.tags, name) ?? scalarOf(run, 'last', name);
}

function bestOf(run: ListedRun, name: string): number | string | null {
  for (const [reference, values] of Object.entries(run.at))
    for (const scalar of Object.keys(values))
      if (lower(`${scalar}@${reference}`) === name)
        return valueOf(run, { kind: 'at', name: `${scalar}@${reference}` });
  return null;
}

function scalarOf(run: ListedRun, kind: Aspect, name: string): number | string | null {
  for (const key of Object.keys(run.scalars))
    if (lower(key) === name) return valueOf(run, { kind, name: key });
  return null;
}

function checkName(name: string, there: Catalogue | null): void {
  if (name === '') throw new Unreadable('expected a name before the operator, as in lr>0.1');
  if (!there || BUILT_IN.has(name)) return;
  const bare = name.replace(/^([a-z]+):(.+)$/s, (all: string, kind: string, rest: string) =>
    isScalar(kind) ? rest : all,
  );
  const names = [...there.params, ...there.tags, ...there.scalars];
  const best = name.startsWith('at:') ? readBest(bare) : null;
  const needed = best ? [best.scalar, referenceOf(best.reference).name] : [bare];
  if (needed.every((one) => names.some((known) => lower(known) === one))) return;
  const examples = [...names.slice(0, EXAMPLES), ...(names.length > EXAMPLES ? ['…'] : [])];
  const all = [...['step', 'findings', 'duration', 'name'], ...examples];
  throw new Unreadable(`no run has '${name}'; expected one of: ${list(all)}`);
}

function regexOf(text: string): RegExp {
  if (text === '') throw new Unreadable('expected a regular expression after ~');
  try {
    return new RegExp(text, 'i');
  } catch (error) {
    const why = (error as Error).message.replace(/^Invalid regular expression: (\/.*\/i: )?/s, '');
    throw new Unreadable(`expected a regular expression, such as ^resnet; ${lower(why)}`);
  }
}

// 'lr>1e-3', 'name~^res'.
function comparison(name: string, operator: string, wanted: string, there: Catalogue | null): Test {
  checkName(name, there);
  const read = reader(name);
  if (operator === '~') {
    const regex = regexOf(wanted);
    return (run) => {
      const value = read(run);
      return value !== null && regex.test(String(value));
    };
  }
  if (!['=', '!='].includes(operator) && (wanted.trim() === '' || Number.isNaN(Number(wanted))))
    throw new Unreadable(`expected a number after ${operator}, got '${wanted}'`);
  return (run) => {
    const value = read(run);
    return value === null ? operator === '!=' : compared(value, operator, wanted);
  };
}

// Everything of a run that a plain word can match. Cached: there can be thousands of runs.
const texts = new WeakMap<RunSummary, string>();
function textOf(run: RunSummary): string {
  let text = texts.get(run);
  if (text === undefined) {
    const { display_name: shown, note } = run.marks;
    const parameters = Object.entries(run.hyper_parameters).map(
      ([key, value]) => `${key}=${value}`,
    );
    const words = [shown, run.name, run.id, run.folder, note, ...tagsOf(run), ...parameters];
    text = lower(words.join('\n'));
    texts.set(run, text);
  }
  return text;
}

function testOf({ text, plain }: Piece, there: Catalogue | null): Test {
  const [, facet = ''] = /^([A-Za-z]\w*):/.exec(plain) ?? [];
  const name = lower(facet);
  if (FACETS.includes(name)) return facetTest(name, text.slice(facet.length + 1));
  const found = /!=|<=|>=|=|<|>|~/.exec(plain);
  if (facet && !(isScalar(name) && found))
    throw new Unreadable(
      `unknown filter '${facet}:'; expected one of: ${list(FACETS.map((one) => `${one}:`))} ` +
        `or a comparison such as min:loss<0.1; put words with a colon in quotes`,
    );
  if (found) {
    const [operator] = found;
    const at = found.index;
    return comparison(lower(text.slice(0, at)), operator, text.slice(at + operator.length), there);
  }
  const words = lower(text);
  return (run) => textOf(run).includes(words);
}

// there: what runs have; null while that is not known. Names are checked with it.
export function readFilter(text: string, there: Catalogue | null = null): Filter {
  const tests: Test[] = [];
  const problems: FilterProblem[] = [];
  let archived = false;
  for (const raw of piecesOf(text)) {
    const piece = readPiece(raw);
    try {
      const test = testOf(piece, there);
      tests.push(piece.negated ? (run): boolean => !test(run) : test);
      archived ||= lower(piece.plain) === 'is:archived' && !piece.negated;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push({ piece: raw, words: error.message });
    }
  }
  return { test: (run) => tests.every((test) => test(run)), problems, archived };
}

// The text without pieces that compare this name, and with these in place of them.
export function withComparisons(text: string, name: string, added: readonly string[]): string {
  const rest = piecesOf(text).filter((raw) => {
    const { text: words, plain, negated } = readPiece(raw);
    const found = /!=|<=|>=|=|<|>|~/.exec(plain);
    return negated || !found || lower(words.slice(0, found.index)) !== lower(name);
  });
  return [...rest, ...added].join(' ');
}

// Limits that pieces such as 'lr>=0.1' set for a name; null: none.
export function limitsOf(text: string, name: string): [number, number] | null {
  let [low, high] = [-Infinity, Infinity];
  for (const raw of piecesOf(text)) {
    const { text: words, plain, negated } = readPiece(raw);
    const found = /<=|>=/.exec(plain);
    if (negated || !found || lower(words.slice(0, found.index)) !== lower(name)) continue;
    const value = Number(words.slice(found.index + 2));
    if (Number.isNaN(value)) continue;
    if (found[0] === '>=') low = Math.max(low, value);
    else high = Math.min(high, value);
  }
  return low === -Infinity && high === Infinity ? null : [low, high];
}

// What pieces such as 'at:accuracy@min:loss>0.9' name: 'accuracy@min:loss'.
export function bestNames(text: string): string[] {
  return piecesOf(text).flatMap((raw) => {
    const { text: words, plain } = readPiece(raw);
    const found = /!=|<=|>=|=|<|>|~/.exec(plain);
    return found && /^at:/i.test(plain) ? [words.slice(3, found.index)] : [];
  });
}
