import { createExternalStore, useExternalStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const SYSTEM: { theme: Theme } = { theme: 'system' };
const chosen = createExternalStore<{ theme: Theme }>({ theme: readTheme() }, SYSTEM);

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Puts the chosen scheme on the page; without one the system decides. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  const { theme } = chosen.get();
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  // The bar of an installed window has the page's colour.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.dataset.for ??= meta.media;
    const isIts = meta.dataset.for.includes(theme);
    meta.media = theme === 'system' ? meta.dataset.for : isIts ? 'all' : 'not all';
  }
}

export function chooseTheme(next: Theme): void {
  chosen.set({ theme: next });
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
  applyTheme();
}

export function useTheme(): Theme {
  return useExternalStore(chosen).theme;
}
