// The theme's colors as packed pixel values.
//
// Slices are pale, so labels are readable in both themes; their first pixel is strong, so neighbors
// of the same color stay apart. Merged events are the stronger the more they are.

type Rgb = [number, number, number];

const HUES = 7; // Of the theme's eight; the last is gray.
const DENSITIES = 8;
export const SHADES = HUES * 2; // Each hue in a paler and a stronger shade.

const pack = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
const mix = (a: Rgb, b: Rgb, part: number): Rgb =>
  a.map((value, i) => Math.round(value + ((b[i] ?? 0) - value) * part)) as Rgb;

// "#1a2028", or "#fff" as style sheets are shortened to.
export function rgbOf(text: string): Rgb {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim());
  if (short) return short.slice(1, 4).map((part) => parseInt(part + part, 16)) as Rgb;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text.trim());
  return hex ? (hex.slice(1, 4).map((part) => parseInt(part, 16)) as Rgb) : [128, 128, 128];
}

export interface Palette {
  readonly css: Record<
    'page' | 'card' | 'text' | 'quiet' | 'line' | 'accent' | 'warning' | 'bad',
    string
  >;
  // Packed pixels by shade; dim: not matched by the search.
  readonly fill: Uint32Array;
  readonly edge: Uint32Array;
  readonly dim: Uint32Array;
  readonly dimEdge: Uint32Array;
  readonly density: Uint32Array; // shade * DENSITIES + density.
  readonly dimDensity: Uint32Array;
}

export const densityOf = (count: number): number => Math.min(DENSITIES - 1, 31 - Math.clz32(count));
export const densityAt = (shade: number, density: number): number => shade * DENSITIES + density;

// Reads the colors of `element` as shown now.
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const named = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const card = rgbOf(named('card'));
  const fill = new Uint32Array(SHADES);
  const edge = new Uint32Array(SHADES);
  const dim = new Uint32Array(SHADES);
  const dimEdge = new Uint32Array(SHADES);
  const density = new Uint32Array(SHADES * DENSITIES);
  const dimDensity = new Uint32Array(SHADES * DENSITIES);
  for (let shade = 0; shade < SHADES; ++shade) {
    const hue = rgbOf(named(`c${shade % HUES}`));
    const strength = shade < HUES ? 0.3 : 0.42;
    fill[shade] = pack(mix(card, hue, strength));
    edge[shade] = pack(mix(card, hue, 0.85));
    dim[shade] = pack(mix(card, hue, 0.08));
    dimEdge[shade] = pack(mix(card, hue, 0.22));
    for (let i = 0; i < DENSITIES; ++i) {
      density[densityAt(shade, i)] = pack(mix(card, hue, 0.25 + (0.4 * i) / (DENSITIES - 1)));
      dimDensity[densityAt(shade, i)] = pack(mix(card, hue, 0.05 + (0.1 * i) / (DENSITIES - 1)));
    }
  }
  const css = {
    page: named('page'),
    card: named('card'),
    text: named('text'),
    quiet: named('quiet'),
    line: named('line'),
    accent: named('accent'),
    warning: named('warning'),
    bad: named('bad') || named('warning'),
  };
  return { css, fill, edge, dim, dimEdge, density, dimDensity };
}

// Calls `changed` when the theme changes, until the returned function is called.
export function onTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    watch.disconnect();
  };
}
