import { Dexie, type ObservabilitySet } from 'dexie';
import { db } from './db.ts';

type Listener = (parts: ObservabilitySet) => void;

const listeners = new Set<Listener>();

/**
 * Tells of every change of a row, made here, by another tab or by the worker. A part named `all`
 * stands for whatever may have changed: a page that comes back from the history has not heard of it.
 */
export function onChange(listener: Listener): void {
  listeners.add(listener);
  Dexie.on('storagemutated', listener);
}

/** The database was taken away: what was in it may be gone. */
export function noteTotalChange(): void {
  for (const listener of listeners) listener({ all: { d: 0 } });
}

/** Dexie's name of the rows of a table, by their primary keys. */
export function partOf(table: string): string {
  return `idb://${db.name}/${table}/`;
}
