// Draws a flame graph as SVG, from the root at the top down to what it is made of.

import { svg } from '../../../base/dom';
import { fitted, type FlameBox, type FlameTree } from '../model/flame_tree';
import { Names } from '../model/names';
import { type Palette, readPalette } from '../model/palette';

export const ROW = 18;
const LEAST = 0.5; // Pixels: narrower boxes are not drawn.

const css = (pixel: number): string =>
  `#${[pixel, pixel >>> 8, pixel >>> 16].map((part) => (part & 255).toString(16).padStart(2, '0')).join('')}`;

export interface FlameLook {
  focus: number; // What is as wide as the drawing.
  current: number; // What the keyboard is at.
  found: ReadonlySet<number>;
  searching: boolean;
}

export class FlameDrawing {
  readonly element = svg('svg', { class: 'flame-svg', 'aria-hidden': 'true' });
  boxes: FlameBox[] = [];
  private readonly names = new Names();

  draw(tree: FlameTree, look: FlameLook, width: number): void {
    const palette = readPalette(this.element);
    this.boxes = tree.boxes(look.focus, LEAST / width);
    const rows = 1 + this.boxes.reduce((most, { depth }) => Math.max(most, depth), 0);
    this.element.setAttribute('width', String(width));
    this.element.setAttribute('height', String(rows * ROW));
    this.element.setAttribute('viewBox', `0 0 ${width} ${rows * ROW}`);
    this.element.replaceChildren(
      ...this.boxes.map((box) => this.box(tree, box, look, width, palette)),
    );
  }

  // Where the box of a node is, in pixels from the top.
  top(node: number): number {
    return (this.boxes.find((box) => box.node === node)?.depth ?? 0) * ROW;
  }

  // As a file: with a background, and the colors that it has now.
  file(): string {
    const copy = this.element.cloneNode(true) as SVGSVGElement;
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.removeAttribute('aria-hidden');
    const { card } = readPalette(this.element).css;
    copy.prepend(svg('rect', { width: '100%', height: '100%', fill: card }));
    return new XMLSerializer().serializeToString(copy);
  }

  private box(
    tree: FlameTree,
    { node, x, width: share, depth, above }: FlameBox,
    look: FlameLook,
    width: number,
    palette: Palette,
  ): SVGElement {
    const { name, kind } = tree.nodes[node] ?? { name: '', kind: 'span' };
    const [left, wide] = [x * width, Math.max(share * width, LEAST)];
    const plain = kind !== 'span';
    const shade = this.names.shades[this.names.numberOf(name)] ?? 0;
    const dim = above || (look.searching && !look.found.has(node));
    const fill = plain ? palette.css.page : css((dim ? palette.dim : palette.fill)[shade] ?? 0);
    const lit = look.found.has(node) || node === look.current;
    const group = svg(
      'g',
      { 'data-node': node },
      svg('rect', {
        x: (left + 0.5).toFixed(2),
        y: depth * ROW + 0.5,
        width: Math.max(0.4, wide - 1).toFixed(2),
        height: ROW - 1,
        rx: 2,
        fill,
        stroke: lit
          ? node === look.current
            ? palette.css.text
            : palette.css.accent
          : palette.css.line,
        'stroke-width': lit ? 1.6 : 0.6,
      }),
    );
    const words = fitted(name || '(no name)', wide);
    if (words)
      group.append(
        svg(
          'text',
          {
            x: (left + 4).toFixed(2),
            y: depth * ROW + 13,
            'font-size': 11,
            'font-family': 'system-ui, sans-serif',
            fill: dim && !lit ? palette.css.quiet : palette.css.text,
          },
          words,
        ),
      );
    return group;
  }
}
