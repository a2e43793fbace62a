// Collections, and in them tensors by the parts of their names: 'layer1.0.conv1.weight' is below
// layer1, 0, conv1.
//
// Branches are built when first opened: a network of 100,000 tensors opens as fast as a small one.

import type { TensorInfo } from '../../api/types';

export interface Node {
  readonly key: string; // Unique, and stable when the list grows.
  readonly label: string;
  readonly level: number; // From 1.
  readonly count: number; // Number of tensors below; 1 for a tensor.
  readonly tensor: TensorInfo | null; // None: a branch.
  readonly inside: readonly TensorInfo[]; // Of a branch.
  readonly depth: number; // Number of name characters used by the branches above.
}

// A visible row, with its position for screen readers.
export interface Row {
  readonly node: Node;
  readonly place: number; // From 1, among its siblings.
  readonly siblings: number;
  readonly open: boolean;
  readonly parent: number; // The row of its parent, or -1.
}

export type Search = { test: (name: string) => boolean; problem: string } | null;

const REGEX = /[*+?[\](){}|^$\\]/;

// Words that must all match, in any case and order; with any of * + ? [ ] ( ) { } | ^ $ \ a regular
// expression.
export function searchFor(text: string): Search {
  const wanted = text.trim();
  if (!wanted) return null;
  let problem = '';
  if (REGEX.test(wanted)) {
    try {
      const pattern = new RegExp(wanted, 'i');
      return { test: (name) => pattern.test(name), problem };
    } catch (error) {
      problem = `${(error as Error).message}; searching for the plain text instead`;
    }
  }
  const words = wanted.toLowerCase().split(/\s+/);
  return { test: (name) => words.every((word) => name.toLowerCase().includes(word)), problem };
}

const SEPARATOR = /[/.]/;
const nextPart = (name: string, from: number): number => {
  const at = name.slice(from).search(SEPARATOR);
  return at < 0 ? name.length : from + at + 1;
};

function leaf(tensor: TensorInfo, above: string, level: number, depth: number): Node {
  const label = tensor.name.slice(depth) || tensor.name || '(no name)';
  return {
    key: `${above}\n${tensor.name}`,
    label,
    level,
    count: 1,
    tensor,
    inside: [],
    depth: tensor.name.length,
  };
}

// Parts shared by all tensors form one branch: 'encoder/layer' instead of two nested branches.
function sharedDepth(tensors: readonly TensorInfo[], from: number): number {
  const first = tensors[0]?.name ?? '';
  for (let depth = from; ;) {
    const next = nextPart(first, depth);
    if (next >= first.length) return depth;
    const part = first.slice(0, next);
    if (!tensors.every(({ name }) => name.length > next && name.startsWith(part))) return depth;
    depth = next;
  }
}

function childrenOf(branch: Node): Node[] {
  const groups = new Map<string, TensorInfo[]>();
  for (const tensor of branch.inside) {
    const part = tensor.name.slice(branch.depth, nextPart(tensor.name, branch.depth));
    const group = groups.get(part);
    if (group) group.push(tensor);
    else groups.set(part, [tensor]);
  }
  const level = branch.level + 1;
  return [...groups].map(([part, inside]) => {
    const only = inside[0];
    // Identical names leave nothing to split.
    if ((inside.length === 1 || part === '') && only)
      return leaf(only, branch.key, level, branch.depth);
    const depth = sharedDepth(inside, branch.depth + part.length);
    const label = (only?.name.slice(branch.depth, depth) ?? part).replace(/[/.]$/, '') || part;
    return {
      key: `${branch.key}\n${part}`,
      label,
      level,
      count: inside.length,
      tensor: null,
      inside,
      depth,
    };
  });
}

export class Tree {
  private roots: Node[] = [];
  private readonly children = new Map<string, Node[]>();
  private tensors: readonly TensorInfo[] = [];
  readonly open = new Set<string>();

  setTensors(tensors: readonly TensorInfo[], collections: readonly string[]): void {
    this.tensors = tensors;
    this.children.clear();
    const inside = new Map<string, TensorInfo[]>(collections.map((name) => [name, []]));
    for (const tensor of tensors) {
      const of = tensor.collections.length > 0 ? tensor.collections : ['no collection'];
      for (const name of of) {
        const group = inside.get(name);
        if (group) group.push(tensor);
        else inside.set(name, [tensor]);
      }
    }
    this.roots = [...inside]
      .filter(([, group]) => group.length > 0)
      .map(([name, group]) => ({
        key: name,
        label: name,
        level: 1,
        count: group.length,
        tensor: null,
        inside: group,
        depth: 0,
      }));
  }

  collections(): readonly Node[] {
    return this.roots;
  }

  toggle(node: Node, open: boolean): void {
    if (open) this.open.add(node.key);
    else this.open.delete(node.key);
  }

  // Opens the branches above a tensor, in the smallest collection that has it.
  reveal(name: string): void {
    const holds = (node: Node): boolean =>
      node.tensor?.name === name || node.inside.some((tensor) => tensor.name === name);
    let at = this.roots.filter(holds).sort((a, b) => a.count - b.count)[0];
    // Names come from outside: duplicates must not make this endless.
    for (let depth = 0; at && !at.tensor && depth < 100; ++depth) {
      this.open.add(at.key);
      at = this.below(at).find(holds);
    }
  }

  // The visible rows: open branches, or the matches of a search.
  rows(search: Search): Row[] {
    if (search) {
      const found = this.tensors.filter(({ name }) => search.test(name));
      return found.map((tensor, i) => ({
        node: leaf(tensor, '', 1, 0),
        place: i + 1,
        siblings: found.length,
        open: false,
        parent: -1,
      }));
    }
    const rows: Row[] = [];
    this.append(rows, this.roots, -1);
    return rows;
  }

  private append(rows: Row[], nodes: readonly Node[], parent: number): void {
    nodes.forEach((node, i) => {
      const open = !node.tensor && this.open.has(node.key);
      const at = rows.push({ node, place: i + 1, siblings: nodes.length, open, parent }) - 1;
      if (open) this.append(rows, this.below(node), at);
    });
  }

  private below(node: Node): Node[] {
    let made = this.children.get(node.key);
    if (!made) this.children.set(node.key, (made = childrenOf(node)));
    return made;
  }
}
