// A flame graph as a tree: where its nodes are drawn, how keys move, what is found.

import type { FlameNode } from '../../../api/types';

// Where a node is drawn. x and width are shares of the width of the drawing.
export interface FlameBox {
  node: number;
  x: number;
  width: number;
  depth: number;
  above: boolean; // It holds the node that is zoomed to, and is as wide as the drawing.
}

export type FlameKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home';

export class FlameTree {
  private readonly below: number[][];

  constructor(readonly nodes: readonly FlameNode[]) {
    this.below = nodes.map(() => []);
    nodes.forEach(({ parent }, i) => {
      if (parent !== null) this.below[parent]?.push(i);
    });
  }

  // From the root to the node.
  lineage(node: number): number[] {
    const line: number[] = [];
    for (let at: number | null = node; at !== null; at = this.nodes[at]?.parent ?? null)
      line.unshift(at);
    return line;
  }

  // "main thread › Forward › aten::mm", without the root.
  title(node: number): string {
    const line = this.lineage(node).slice(1);
    return line.map((one) => this.nodes[one]?.name || '(no name)').join(' › ') || 'all';
  }

  // What is seen when the drawing is zoomed to a node; what is narrower than `least` is left out.
  boxes(focus: number, least: number): FlameBox[] {
    const line = this.lineage(focus);
    const boxes: FlameBox[] = line.slice(0, -1).map((node, depth) => ({
      node,
      x: 0,
      width: 1,
      depth,
      above: true,
    }));
    const all = this.nodes[focus]?.total ?? 0;
    const add = (node: number, x: number, width: number, depth: number): void => {
      boxes.push({ node, x, width, depth, above: false });
      let at = x;
      for (const child of this.below[node] ?? []) {
        const share = all > 0 ? (this.nodes[child]?.total ?? 0) / all : 0;
        if (share >= least) add(child, at, share, depth + 1);
        at += share;
      }
    };
    add(focus, 0, 1, line.length - 1);
    return boxes;
  }

  // Where a key leads from a node, among those that are seen.
  move(from: number, key: FlameKey, boxes: readonly FlameBox[]): number {
    const here = boxes.find((box) => box.node === from);
    if (!here || key === 'Home') return boxes[0]?.node ?? 0;
    if (key === 'ArrowUp') return this.nodes[from]?.parent ?? from;
    const row = boxes
      .filter(({ depth }) => depth === here.depth + (key === 'ArrowDown' ? 1 : 0))
      .sort((a, b) => a.x - b.x);
    if (key === 'ArrowDown')
      return row.find(({ node }) => this.nodes[node]?.parent === from)?.node ?? from;
    const at = row.indexOf(here) + (key === 'ArrowRight' ? 1 : -1);
    return row[at]?.node ?? from;
  }

  // Nodes whose names contain the words, ignoring case.
  find(words: string): Set<number> {
    const wanted = words.trim().toLowerCase();
    const found = new Set<number>();
    if (wanted === '') return found;
    this.nodes.forEach(({ name, kind }, i) => {
      if (kind !== 'all' && name.toLowerCase().includes(wanted)) found.add(i);
    });
    return found;
  }

  // The time of those nodes; what lies in another of them counts once.
  timeOf(found: ReadonlySet<number>): number {
    let sum = 0;
    for (const node of found) {
      const around = this.lineage(node).slice(0, -1);
      if (!around.some((one) => found.has(one))) sum += this.nodes[node]?.total ?? 0;
    }
    return sum;
  }

  // "process;thread;aten::mm 123": self times in whole microseconds, for other tools.
  collapsed(): string {
    const clean = (name: string): string =>
      // eslint-disable-next-line no-control-regex
      name.replace(/;/g, ',').replace(/[\u0000-\u001f]/g, ' ');
    const lines: string[] = [];
    this.nodes.forEach(({ self }, i) => {
      const time = Math.round(self);
      if (i === 0 || time < 1) return;
      const line = this.lineage(i).slice(1);
      lines.push(`${line.map((one) => clean(this.nodes[one]?.name ?? '')).join(';')} ${time}`);
    });
    return lines.length > 0 ? `${lines.join('\n')}\n` : '';
  }
}

// As much of a name as fits, in letters of about that width.
export function fitted(name: string, pixels: number, letter = 6.1): string {
  const room = Math.floor((pixels - 6) / letter);
  if (room < 3) return '';
  return name.length <= room ? name : `${name.slice(0, room - 1)}…`;
}
