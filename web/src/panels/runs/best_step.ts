// A metric at the step at which another one was best: 'accuracy@min:val_loss' is the accuracy where
// val_loss was lowest.

export interface BestValue {
  scalar: string;
  reference: string; // 'min:val_loss': as the service is asked for it.
}

export const bestName = (scalar: string, extreme: 'min' | 'max', of: string): string =>
  `${scalar}@${extreme}:${of}`;

// Null: the name of something else.
export function readBest(name: string): BestValue | null {
  const [, scalar, reference] = /^(.+)@((?:min|max):.+)$/s.exec(name) ?? [];
  return scalar === undefined || reference === undefined ? null : { scalar, reference };
}

export const referenceOf = (reference: string): { highest: boolean; name: string } => ({
  highest: reference.startsWith('max:'),
  name: reference.slice(4),
});

export function bestTitle(name: string): string {
  const best = readBest(name);
  if (!best) return name;
  const { highest, name: of } = referenceOf(best.reference);
  return `${best.scalar} at ${highest ? 'highest' : 'lowest'} ${of}`;
}

const MOST = 32; // That the service answers at once.

// What must be asked for: names as in readBest, whose case may differ where somebody typed them.
export function referencesOf(names: readonly string[], scalars: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const best = readBest(name);
    if (!best) return [];
    const { highest, name: of } = referenceOf(best.reference);
    const known = scalars.find((one) => one.toLowerCase() === of.toLowerCase()) ?? of;
    return [`${highest ? 'max' : 'min'}:${known}`];
  });
  return [...new Set(found)].sort().slice(0, MOST);
}
