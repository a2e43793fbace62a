// Lines by pixel column, and blended pixels.

const UP = 1;
const DOWN = 2;

// The vertical extent of a line within each pixel column, and the directions of its pieces.
export class Columns {
  low = new Float32Array(0);
  high = new Float32Array(0);
  pieces = new Uint16Array(0);
  private directions = new Uint8Array(0);
  private width = 0;

  reset(width: number): void {
    this.width = width;
    if (this.low.length < width) {
      this.low = new Float32Array(width);
      this.high = new Float32Array(width);
      this.pieces = new Uint16Array(width);
      this.directions = new Uint8Array(width);
    }
    this.low.fill(Infinity, 0, width);
    this.high.fill(-Infinity, 0, width);
    this.pieces.fill(0, 0, width);
    this.directions.fill(0, 0, width);
  }

  // Whether the line only rises or only falls within a column, as a single slope does.
  isSlope(column: number): boolean {
    return (
      (this.pieces[column] as number) > 0 && (this.directions[column] as number) !== (UP | DOWN)
    );
  }

  // The lowest place of the line that a slope leads to within some columns: it ends where the line
  // turns or ends.
  lowest(column: number, reach: number): number {
    const ahead = this.directions[column] === DOWN ? 1 : -1;
    let found = this.low[column] as number;
    for (let at = column + ahead; reach > 0 && at >= 0 && at < this.width; --reach, at += ahead) {
      if (!((this.low[at] as number) < found)) break;
      found = this.low[at] as number;
    }
    return found;
  }

  highest(column: number, reach: number): number {
    const ahead = this.directions[column] === DOWN ? -1 : 1;
    let found = this.high[column] as number;
    for (let at = column + ahead; reach > 0 && at >= 0 && at < this.width; --reach, at += ahead) {
      if (!((this.high[at] as number) > found)) break;
      found = this.high[at] as number;
    }
    return found;
  }

  // From (x0, y0) to (x1, y1), where x1 is not less than x0.
  segment(x0: number, y0: number, x1: number, y1: number, width: number): void {
    const { low, high, pieces, directions } = this;
    const direction = y1 > y0 ? UP : y1 < y0 ? DOWN : 0;
    const bottom = y0 < y1 ? y0 : y1;
    const top = y0 < y1 ? y1 : y0;
    const first = x0 > 0 ? Math.floor(x0) : 0;
    const last = x1 < width ? Math.floor(x1) : width - 1;
    const slope = first < last ? (y1 - y0) / (x1 - x0) : 0;
    for (let column = first; column <= last; ++column) {
      let from = bottom;
      let to = top;
      if (first < last) {
        const enters = column > x0 ? y0 + (column - x0) * slope : y0;
        const leaves = column + 1 < x1 ? y0 + (column + 1 - x0) * slope : y1;
        from = enters < leaves ? enters : leaves;
        to = enters < leaves ? leaves : enters;
      }
      if (from < (low[column] as number)) low[column] = from;
      if (to > (high[column] as number)) high[column] = to;
      ++(pieces[column] as number);
      directions[column] = (directions[column] as number) | direction;
    }
  }
}

// Blends two colors of the same opacity; part: share of `above`, out of 255.
export function mixed(above: number, below: number, part: number): number {
  const of = part + (part >> 7); // 256: fully covered.
  const odd = Math.imul(above & 0xff00ff, of) + Math.imul(below & 0xff00ff, 256 - of);
  const even = Math.imul(above & 0xff00, of) + Math.imul(below & 0xff00, 256 - of);
  return ((odd >>> 8) & 0xff00ff) | ((even >>> 8) & 0xff00);
}
