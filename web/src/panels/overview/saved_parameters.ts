// Hyperparameters that the run itself saved, as XGBoost's hook does: tensors of the collection
// "hyperparameters". Their values are requested once.

import { type Client, below } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { TensorInfo } from '../../api/types';

const COLLECTION = 'hyperparameters';
const MOST = 64; // Parameters.
const ELEMENTS = 8; // Of a parameter that is a list.

interface ValueHeader {
  strings?: string[];
}

export const savedParameters = (tensors: readonly TensorInfo[]): TensorInfo[] =>
  tensors
    .filter(({ collections, values }) => values && collections.includes(COLLECTION))
    .slice(0, MOST);

export const parameterName = (tensor: string): string =>
  tensor.startsWith(`${COLLECTION}/`) ? tensor.slice(COLLECTION.length + 1) : tensor;

// Values are often float32: 0.3 is saved as 0.30000001.
const numberText = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

export function parameterText(value: Columns<ValueHeader>): string {
  const { strings } = value.header;
  const all = strings ?? Array.from(value.column('values'), numberText);
  const shown = all.slice(0, ELEMENTS).join(', ');
  return all.length > ELEMENTS ? `${shown}, …` : shown;
}

export class SavedParameters {
  private readonly known = new Map<string, string>(); // By name.
  private readonly asked = new Set<string>(); // Tensors.
  private readonly abort = new AbortController();

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly changed: (values: Record<string, string>) => void,
  ) {}

  setTensors(tensors: readonly TensorInfo[]): void {
    const wanted = savedParameters(tensors).filter(({ name }) => !this.asked.has(name));
    if (wanted.length > 0) void this.ask(wanted);
  }

  close(): void {
    this.abort.abort();
  }

  private async ask(tensors: readonly TensorInfo[]): Promise<void> {
    const { signal } = this.abort;
    for (const { name } of tensors) this.asked.add(name);
    await Promise.all(
      tensors.map(async ({ name, last }) => {
        const answer = await this.client.columns<ValueHeader>(below(this.run, 'value'), {
          query: { tensor: name, step: last },
          signal,
        });
        if (answer.ok) this.known.set(parameterName(name), parameterText(answer.value));
      }),
    );
    if (signal.aborted || this.known.size === 0) return;
    const sorted = [...this.known].sort(([a], [b]) => a.localeCompare(b, 'en'));
    this.changed(Object.fromEntries(sorted));
  }
}
