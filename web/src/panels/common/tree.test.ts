import { describe, expect, test } from 'vitest';
import { tensorOf } from '../../api/runs_for_test';
import type { TensorInfo } from '../../api/types';
import { searchFor, Tree } from './tree';

const inside = (collection: string, ...names: string[]): TensorInfo[] =>
  names.map((name) => tensorOf(name, { collections: [collection] }));

// The visible rows, indented.
const shown = (tree: Tree): string[] =>
  tree.rows(null).map(({ node }) => ' '.repeat(node.level - 1) + node.label);

function openAll(tree: Tree): void {
  for (let before = -1; before !== tree.rows(null).length;) {
    before = tree.rows(null).length;
    for (const { node } of tree.rows(null)) if (!node.tensor) tree.toggle(node, true);
  }
}

describe('searchFor', () => {
  const finds = (text: string, name: string): boolean | undefined => searchFor(text)?.test(name);

  test('empty text searches for nothing', () => {
    expect(searchFor('')).toBeNull();
    expect(searchFor('  ')).toBeNull();
  });

  test('words in any order and case', () => {
    expect(finds('WEIGHT conv', 'layer.conv1.weight')).toBe(true);
    expect(finds('weight fc', 'layer.conv1.weight')).toBe(false);
    expect(finds('a.b', 'axb')).toBe(false);
  });

  test('regular expressions', () => {
    expect(finds('^fc.*bias$', 'FC1.bias')).toBe(true);
    expect(finds('conv[12]', 'conv3')).toBe(false);
  });

  test('an invalid expression is plain text, with the problem', () => {
    const search = searchFor('a[');
    expect(search?.problem).toMatch(/searching for the plain text instead$/);
    expect(search?.test('xa[0]')).toBe(true);
    expect(search?.test('xa0')).toBe(false);
  });
});

describe('Tree', () => {
  test('collections in the given order, without empty ones', () => {
    const tree = new Tree();
    tree.setTensors(
      [...inside('weights', 'w'), ...inside('losses', 'l'), tensorOf('x', { collections: [] })],
      ['losses', 'empty'],
    );
    expect(shown(tree)).toEqual(['losses', 'weights', 'no collection']);
    expect(tree.collections().map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  test('branches by the parts of names; shared parts form one branch', () => {
    const tree = new Tree();
    tree.setTensors(
      inside('w', 'net/layer.0.conv', 'net/layer.0.bias', 'net/layer.1.conv', 'head'),
      [],
    );
    openAll(tree);
    expect(shown(tree)).toEqual([
      'w',
      ' net/layer',
      '  0',
      '   conv',
      '   bias',
      '  1.conv',
      ' head',
    ]);
  });

  test('positions for screen readers', () => {
    const tree = new Tree();
    tree.setTensors(inside('w', 'a', 'b'), []);
    openAll(tree);
    expect(tree.rows(null).map(({ place, siblings, parent }) => [place, siblings, parent])).toEqual(
      [
        [1, 1, -1],
        [1, 2, 0],
        [2, 2, 0],
      ],
    );
  });

  test('a tensor that is also a prefix of others', () => {
    const tree = new Tree();
    tree.setTensors(inside('w', 'a', 'a.b', 'a.c'), []);
    openAll(tree);
    const leaves = tree.rows(null).flatMap(({ node }) => node.tensor?.name ?? []);
    expect(leaves.sort()).toEqual(['a', 'a.b', 'a.c']);
  });

  test.each([
    ['identical names', ['a', 'a']],
    ['identical long names', ['a.b', 'a.b']],
    ['empty names', ['', '']],
    ['only separators', ['...', '..', '/']],
  ])('%s end', (_, names) => {
    const tree = new Tree();
    tree.setTensors(inside('w', ...names), []);
    openAll(tree);
    expect(tree.rows(null).length).toBeLessThan(20);
    for (const name of names) tree.reveal(name);
  });

  test('open branches stay open when the list grows', () => {
    const tree = new Tree();
    tree.setTensors(inside('w', 'a.x', 'a.y'), []);
    openAll(tree);
    tree.setTensors(inside('w', 'a.x', 'a.y', 'b'), []);
    expect(shown(tree)).toContain('  x');
    const [root] = tree.collections();
    if (root) tree.toggle(root, false);
    expect(shown(tree)).toEqual(['w']);
  });

  test('reveal opens the smallest collection that has the tensor', () => {
    const tree = new Tree();
    const both = tensorOf('net.fc.weight', { collections: ['all', 'fc'] });
    tree.setTensors([...inside('all', 'net.conv.weight', 'net.fc.bias'), both], ['all', 'fc']);
    tree.reveal('net.fc.weight');
    expect(shown(tree)).toEqual(['all', 'fc', ' net.fc.weight']);
    tree.reveal('unknown');
    expect(shown(tree)).toHaveLength(3);
  });

  test('matches of a search are a flat list', () => {
    const tree = new Tree();
    tree.setTensors(inside('w', 'a.weight', 'a.bias', 'b.weight'), []);
    const rows = tree.rows(searchFor('weight'));
    expect(rows.map(({ node }) => node.label)).toEqual(['a.weight', 'b.weight']);
    expect(rows[1]).toMatchObject({ place: 2, siblings: 2, parent: -1 });
    expect(tree.rows(searchFor('nothing'))).toEqual([]);
  });
});
