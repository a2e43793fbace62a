// The page's colors for canvases, which style sheets cannot reach.

export interface Palette {
  readonly card: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly accent: string;
  readonly warning: string;
  readonly bad: string;
  readonly shade: string;
  readonly series: readonly string[]; // Eight.
  readonly dark: boolean;
  readonly font: string;
}

let known: Palette | null = null;
let watching = false;
const watchers = new Set<() => void>();

function changed(): void {
  known = null;
  for (const watcher of watchers) watcher();
}

function watchTheme(): void {
  new MutationObserver(changed).observe(document.documentElement, {
    attributeFilter: ['data-theme', 'class'],
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}

export function palette(): Palette {
  if (known) return known;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim() || 'grey';
  known = {
    card: read('card'),
    text: read('text'),
    quiet: read('quiet'),
    line: read('line'),
    accent: read('accent'),
    warning: read('warning'),
    bad: read('bad'),
    shade: read('shade'),
    series: Array.from({ length: 8 }, (_, i) => read(`c${i}`)),
    dark: style.colorScheme.includes('dark'),
    font: getComputedStyle(document.body).fontFamily || 'sans-serif',
  };
  return known;
}

// Calls `watcher` when the colors change. Returns a function that stops it.
export function onThemeChange(watcher: () => void): () => void {
  if (!watching) {
    watching = true;
    watchTheme();
  }
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
