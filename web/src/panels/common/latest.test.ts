import { describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../api/client';
import { Latest } from './latest';

// Requests that the test answers.
function server() {
  const waiting: { answer: (answer: Answer<string>) => void; signal: AbortSignal }[] = [];
  const ask = (signal: AbortSignal): Promise<Answer<string>> =>
    new Promise((answer) => waiting.push({ answer, signal }));
  const reply = async (i: number, value: string): Promise<void> => {
    waiting[i]?.answer({ ok: true, value });
    await Promise.resolve();
  };
  return { waiting, ask, reply };
}

const never = (): void => {
  throw new Error('not expected');
};

describe('ask', () => {
  test('an answer', async () => {
    const [latest, { ask, reply }, then] = [new Latest(), server(), vi.fn()];
    latest.ask(ask, then, never);
    expect(latest.waiting).toBe(true);
    await reply(0, 'a');
    expect(then).toHaveBeenCalledExactlyOnceWith('a');
    expect(latest.waiting).toBe(false);
  });

  test('a refusal', async () => {
    const [latest, { ask, waiting }, failed] = [new Latest(), server(), vi.fn()];
    latest.ask(ask, never, failed);
    const error = { status: 404, message: 'gone' };
    waiting[0]?.answer({ ok: false, error });
    await Promise.resolve();
    expect(failed).toHaveBeenCalledExactlyOnceWith(error);
  });

  test('the last question wins, whatever answers first', async () => {
    const [latest, { ask, reply, waiting }, then] = [new Latest(), server(), vi.fn()];
    latest.ask(ask, then, never);
    latest.ask(ask, then, never);
    expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await reply(1, 'new');
    await reply(0, 'old');
    expect(then.mock.calls).toEqual([['new']]);
  });

  test('nothing after giving up', async () => {
    const [latest, { ask, reply }] = [new Latest(), server()];
    latest.ask(ask, never, never);
    latest.giveUp();
    expect(latest.waiting).toBe(false);
    await reply(0, 'a');
  });
});

describe('askAgain', () => {
  test('waits for the request under way, then asks once more', async () => {
    const [latest, { ask, reply, waiting }, then] = [new Latest(), server(), vi.fn()];
    for (let i = 0; i < 5; ++i) latest.askAgain(ask, then, never);
    expect(waiting).toHaveLength(1);
    await reply(0, 'a');
    expect(waiting).toHaveLength(2);
    await reply(1, 'b');
    expect(waiting).toHaveLength(2);
    expect(then.mock.calls).toEqual([['a'], ['b']]);
  });

  test('also after a refusal', async () => {
    const [latest, { ask, reply, waiting }, then, failed] = [
      new Latest(),
      server(),
      vi.fn(),
      vi.fn(),
    ];
    latest.askAgain(ask, then, failed);
    latest.askAgain(ask, then, failed);
    waiting[0]?.answer({ ok: false, error: { status: 500, message: '' } });
    await Promise.resolve();
    await reply(1, 'b');
    expect(failed).toHaveBeenCalledTimes(1);
    expect(then.mock.calls).toEqual([['b']]);
  });

  test('giving up also drops the repetition', async () => {
    const [latest, { ask, reply, waiting }] = [new Latest(), server()];
    latest.askAgain(ask, never, never);
    latest.askAgain(ask, never, never);
    latest.giveUp();
    await reply(0, 'a');
    expect(waiting).toHaveLength(1);
  });
});
