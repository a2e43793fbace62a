import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { News } from './news';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('one incident is announced as it is', () => {
  const tell = vi.fn();
  new News(tell).add('DeadRelu', 'relu1 is dead');
  expect(tell).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledExactlyOnceWith('DeadRelu: relu1 is dead');
});

test('incidents that begin together are one message, each rule named once', () => {
  const tell = vi.fn();
  const news = new News(tell);
  for (const rule of ['DeadRelu', 'DeadRelu', 'LossSpike']) news.add(rule, 'x');
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledExactlyOnceWith('3 new problems: DeadRelu, LossSpike');
});

test('later ones are another message', () => {
  const tell = vi.fn();
  const news = new News(tell);
  news.add('A', '1');
  vi.runAllTimers();
  news.add('B', '2');
  vi.runAllTimers();
  expect(tell.mock.calls).toEqual([['A: 1'], ['B: 2']]);
});

test('nothing after close', () => {
  const tell = vi.fn();
  const news = new News(tell);
  news.add('A', '1');
  news.close();
  vi.runAllTimers();
  expect(tell).not.toHaveBeenCalled();
});
