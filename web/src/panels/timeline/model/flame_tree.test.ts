import { describe, expect, test } from 'vitest';
import type { FlameNode } from '../../../api/types';
import { fitted, FlameTree } from './flame_tree';

const node = (name: string, parent: number | null, total: number, self: number): FlameNode => ({
  name,
  kind: parent === null ? 'all' : 'span',
  parent,
  count: 1,
  total,
  self,
});
// all > a(60) > b(40) > c(10); all > d(40)
const TREE = new FlameTree([
  node('all', null, 100, 0),
  node('a', 0, 60, 20),
  node('b', 1, 40, 30),
  node('conv;2\n', 2, 10, 10),
  node('conv', 0, 40, 40),
]);

describe('boxes', () => {
  test('children stand below their parents, beside each other', () => {
    expect(TREE.boxes(0, 0).map(({ node, x, width, depth }) => [node, x, width, depth])).toEqual([
      [0, 0, 1, 0],
      [1, 0, 0.6, 1],
      [2, 0, 0.4, 2],
      [3, 0, 0.1, 3],
      [4, 0.6, 0.4, 1],
    ]);
  });

  test('a node that is zoomed to is as wide as everything, as is what holds it', () => {
    expect(TREE.boxes(2, 0)).toEqual([
      { node: 0, x: 0, width: 1, depth: 0, above: true },
      { node: 1, x: 0, width: 1, depth: 1, above: true },
      { node: 2, x: 0, width: 1, depth: 2, above: false },
      { node: 3, x: 0, width: 0.25, depth: 3, above: false },
    ]);
  });

  test('what is too narrow is left out, and leaves its room', () => {
    expect(TREE.boxes(0, 0.2).map(({ node }) => node)).toEqual([0, 1, 2, 4]);
  });
});

test('keys move to neighbors that are seen', () => {
  const boxes = TREE.boxes(0, 0);
  expect(TREE.move(0, 'ArrowDown', boxes)).toBe(1);
  expect(TREE.move(1, 'ArrowRight', boxes)).toBe(4);
  expect(TREE.move(4, 'ArrowRight', boxes)).toBe(4);
  expect(TREE.move(4, 'ArrowLeft', boxes)).toBe(1);
  expect(TREE.move(4, 'ArrowDown', boxes)).toBe(4);
  expect(TREE.move(3, 'ArrowUp', boxes)).toBe(2);
  expect(TREE.move(0, 'ArrowUp', boxes)).toBe(0);
  expect(TREE.move(3, 'Home', boxes)).toBe(0);
  expect(TREE.move(1, 'ArrowLeft', TREE.boxes(4, 0))).toBe(0);
});

test('what is found counts once where it lies in itself', () => {
  expect([...TREE.find(' CONV ')]).toEqual([3, 4]);
  expect(TREE.timeOf(TREE.find('conv'))).toBe(50);
  expect(TREE.timeOf(new Set([1, 2, 3]))).toBe(60);
  expect(TREE.find(' ').size).toBe(0);
  expect(TREE.find('all').size).toBe(0);
});

test('collapsed stacks have one line for each self time', () => {
  expect(TREE.collapsed()).toBe('a 20\na;b 30\na;b;conv,2  10\nconv 40\n');
  expect(new FlameTree([node('all', null, 0, 0)]).collapsed()).toBe('');
});

test('titles name everything around a node', () => {
  expect(TREE.title(3)).toBe('a › b › conv;2\n');
  expect(TREE.title(0)).toBe('all');
});

test('names are cut to what fits', () => {
  expect(fitted('aten::convolution', 10)).toBe('');
  expect(fitted('aten::convolution', 67)).toBe('aten::con…');
  expect(fitted('aten::convolution', 200)).toBe('aten::convolution');
});
