import { deviceStorage } from '../db/web-storage.ts';
import { createExternalStore, useExternalStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const SYSTEM: { theme: Theme } = { theme: 'system' };
const chosen = createExternalStore<{ theme: Theme }>({ theme: readTheme() }, SYSTEM);

function readTheme(): Theme {
  const stored = deviceStorage.read(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
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

/** Where storage is forbidden, the choice lasts as long as the page. */
export function chooseTheme(next: Theme): void {
  chosen.set({ theme: next });
  deviceStorage.write(KEY, next === 'system' ? null : next);
  applyTheme();
}

/**
 * Takes over a choice that was made on the landing page before this script ran.
 * @param page the rendered page, in which nothing is chosen at first
 */
export function adoptTheme(page: HTMLElement): void {
  const { value } = page.querySelector<HTMLInputElement>('input[type=radio]:checked') ?? {};
  if (value === 'light' || value === 'dark') chooseTheme(value);
}

export function useTheme(): Theme {
  return useExternalStore(chosen).theme;
}
