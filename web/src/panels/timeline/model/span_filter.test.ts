import { describe, expect, test } from 'vitest';
import { spanFilter } from './span_filter';
import { trackOf } from './tiles_for_test';

describe('names', () => {
  test.each([
    ['HtoD  (page', 'Memcpy HtoD (Pageable -> Device)', true],
    ['HtoD Memcpy', 'Memcpy HtoD', false],
    ['name~^aten::(mm|conv)', 'Aten::MM', true],
    ['name~^aten::(mm|conv)', 'my aten::mm', false],
    ['name~conv name!~backward', 'conv_backward', false],
    ['name~conv name!~backward', 'conv', true],
    ['name=a.b', 'acb', false],
    ['name~"b c" a', 'a b c', true],
    ['a>b', 'cond a>b', true],
    ['dur>5ms', 'anything', true],
  ])('%s: %s: %s', (filter, name, matches) => {
    expect(spanFilter(filter).name(name)).toBe(matches);
  });

  test('a pattern that is not one throws nothing', () => {
    expect(() => spanFilter('name~(').name('a')).not.toThrow();
  });
});

test.each([
  ['dur>5ms', 5000, false],
  ['dur>5ms', 5001, true],
  ['dur>=5ms dur<=0.02s', 20_000, true],
  ['dur<4us', 4, false],
  ['dur<4µs', 3, true],
  ['conv', 3, true],
])('%s: %s µs: %s', (filter, us, matches) => {
  expect(spanFilter(filter).duration(us)).toBe(matches);
});

test.each([
  ['thread=11', true],
  ['thread=1', false],
  ['thread=Operators process=88', true],
  ['host=algo-2', false],
  ['gpu=0', false],
])('%s: %s', (filter, matches) => {
  const track = trackOf(1, { process: 'process 88', name: 'operators, thread 11' });
  expect(spanFilter(filter).track(track)).toBe(matches);
});

test('the GPU of a stream', () => {
  const track = trackOf(1, { device: 'GPU', process: 'GPU 1, process 9', name: 'stream 7' });
  expect(spanFilter('gpu=1 track=7').track(track)).toBe(true);
  expect(spanFilter('gpu=9').track(track)).toBe(false);
});
