// Reads responses with many numbers: a header, then columns that are used without copying.

export type Column = Float64Array | Float32Array | Uint32Array | Uint8Array;

export interface Columns<Header> {
  header: Header;
  column: (name: string) => Column; // Empty if there is no column of that name.
}

interface Described {
  name: string;
  type: 'f64' | 'f32' | 'u32' | 'u8';
  length: number;
}

const TYPES = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u8: Uint8Array };
const MAGIC = 0x4c4f4357; // "WCOL"
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

// Throws an Error that says what is wrong with the bytes.
export function readColumns<Header>(bytes: ArrayBuffer): Columns<Header> {
  const view = new DataView(bytes);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC)
    throw new Error('the response has no columns');
  const headerLength = view.getUint32(4, true);
  if (8 + headerLength > bytes.byteLength) throw new Error('the response ends inside its header');
  const text = new TextDecoder().decode(new Uint8Array(bytes, 8, headerLength));
  const header = JSON.parse(text) as Header & { columns: Described[] };
  const columns = new Map<string, Column>();
  let at = 8 + headerLength;
  for (const { name, type, length } of header.columns) {
    if (!Object.hasOwn(TYPES, type)) throw new Error(`column ${name} has unknown type ${type}`);
    const make = TYPES[type];
    if (at + length * make.BYTES_PER_ELEMENT > bytes.byteLength)
      throw new Error(`the response ends inside column ${name}`);
    columns.set(name, new make(bytes, at, length));
    at += padded(length * make.BYTES_PER_ELEMENT);
  }
  return { header, column: (name) => columns.get(name) ?? new Float64Array() };
}
