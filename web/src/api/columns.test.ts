import { describe, expect, test } from 'vitest';
import { readColumns } from './columns';

interface Described {
  name: string;
  type: string;
  length: number;
}

const MAKES = new Map<
  string,
  { from: (values: ArrayLike<number>) => ArrayBufferView<ArrayBuffer> }
>(Object.entries({ f64: Float64Array, f32: Float32Array, u32: Uint32Array, u8: Uint8Array }));

// A response as warden/dashboard writes it; `cut`: bytes that are missing at the end.
function written(columns: Described[], data: ArrayLike<number>[], cut = 0): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify({ title: 'Größe', columns }));
  const header = Math.ceil((8 + text.length) / 8) * 8 - 8;
  const bytes: number[] = [0x57, 0x43, 0x4f, 0x4c, header & 255, header >> 8, 0, 0, ...text];
  while (bytes.length < 8 + header) bytes.push(0x20);
  columns.forEach(({ type }, i) => {
    const values = data[i] ?? [];
    bytes.push(...new Uint8Array((MAKES.get(type) ?? Uint8Array).from(values).buffer));
    while (bytes.length % 8 !== 0) bytes.push(0);
  });
  return new Uint8Array(bytes.slice(0, bytes.length - cut)).buffer;
}

describe('readColumns', () => {
  test('columns of all types, padded', () => {
    const answer = readColumns<{ title: string }>(
      written(
        [
          { name: 'count', type: 'u8', length: 3 },
          { name: 'id', type: 'u32', length: 1 },
          { name: 'value', type: 'f32', length: 3 },
          { name: 'time', type: 'f64', length: 2 },
        ],
        [[1, 2, 255], [4294967295], [0.5, NaN, -Infinity], [1e300, -0]],
      ),
    );
    expect(answer.header.title).toBe('Größe');
    expect(answer.column('count')).toEqual(Uint8Array.of(1, 2, 255));
    expect(answer.column('id')).toEqual(Uint32Array.of(4294967295));
    expect(answer.column('value')).toEqual(Float32Array.of(0.5, NaN, -Infinity));
    expect(answer.column('time')).toEqual(Float64Array.of(1e300, -0));
  });

  test('an unknown column is empty', () => {
    const answer = readColumns(written([], []));
    expect(answer.column('x')).toHaveLength(0);
    expect(answer.column('constructor')).toHaveLength(0);
  });

  test('an empty column', () => {
    const answer = readColumns(written([{ name: 'x', type: 'f64', length: 0 }], [[]]));
    expect(answer.column('x')).toEqual(new Float64Array());
  });

  test.each([
    ['nothing', new ArrayBuffer(0)],
    ['another magic', new Uint8Array(16).buffer],
  ])('%s', (_, bytes) => {
    expect(() => readColumns(bytes)).toThrow('the response has no columns');
  });

  test('a header that is cut', () => {
    const bytes = written([], []).slice(0, 12);
    expect(() => readColumns(bytes)).toThrow('the response ends inside its header');
  });

  test('a column that is cut', () => {
    const bytes = written([{ name: 'x', type: 'f64', length: 2 }], [[1, 2]], 1);
    expect(() => readColumns(bytes)).toThrow('the response ends inside column x');
  });

  test.each(['f16', 'constructor'])('the unknown type %s', (type) => {
    const bytes = written([{ name: 'x', type, length: 0 }], []);
    expect(() => readColumns(bytes)).toThrow(`column x has unknown type ${type}`);
  });
});
