import { useEffect, useRef } from 'react';
import { type DraftRow, db, type KeptFileRow, type OutboxRow } from '../local/db.ts';
import { noteLost } from '../local/keep-file.ts';
import { readAllFiles } from '../local/kept-files.ts';
import { restoreOwner } from '../local/owner.ts';
import { readDrafts, readOutbox } from '../local/waiting.ts';
import { readFlag } from './auth.ts';
import { readyToReload } from './before-reload.ts';
import { refuseFiles } from './copying.ts';
import { noteLoss } from './device.ts';
import { deviceState } from './device-state.ts';
import { useLocal } from './use-local.ts';

/** A newer tab that upgrades waits for us at most this long. */
const LAST_WORDS_MS = 1_000;

// A newer version of the app, in another tab, wants to change the tables: what is typed here
// goes in first, then the way is free.
db.on('versionchange', ({ newVersion }) => {
  if (newVersion === null) return true;
  const patience = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
  void Promise.race([readyToReload(), patience]).then(noteLoss);
  return false;
});

/** Unsent work as this page last saw it. */
interface Known {
  drafts: DraftRow[];
  items: OutboxRow[];
  files: KeptFileRow[];
}

/** What was missing after the database had been taken away. */
export interface Salvaged {
  /** Titles of drafts and queued capsules that this page has put back. */
  texts: string[];
  /** Names of files: their bytes were only there. */
  files: string[];
}

/**
 * A browser may take its database away at any time: short of room, on a command, by a defect.
 * What this page knows of the person's unsent work is put back then; files cannot be.
 */
export function useSalvage(owner: string | null, onSalvaged: (what: Salvaged) => void): void {
  const drafts = useLocal(async () => (owner === null ? [] : readDrafts(owner)), [owner], []);
  const items = useLocal(async () => (owner === null ? [] : readOutbox(owner)), [owner], []);
  const files = useLocal(async () => (owner === null ? [] : readAllFiles(owner)), [owner], []);
  const known = useRef<Known>({ drafts: [], items: [], files: [] });
  const tell = useRef(onSalvaged);
  useEffect(() => {
    known.current = { drafts: drafts ?? [], items: items ?? [], files: files ?? [] };
    tell.current = onSalvaged;
  });

  useEffect(() => {
    if (owner === null) return;
    let seen = deviceState.get().losses;
    return deviceState.subscribe(() => {
      const { losses } = deviceState.get();
      if (losses === seen) return;
      seen = losses;
      // As it was in this instant: what is read from now on is the new, empty database.
      const before = known.current;
      salvage(owner, before).then(
        (what) => {
          if (what.texts.length + what.files.length > 0) tell.current(what);
        },
        // Still no database: what stands on the screen goes on trying to be saved.
        reportError,
      );
    });
  }, [owner]);
}

async function salvage(owner: string, known: Known): Promise<Salvaged> {
  await db.open();
  // Somebody who has cleared all of this site's data, its storage too, wanted it gone.
  if (!readFlag()) return { texts: [], files: [] };
  await restoreOwner(owner);
  // In this page's memory only what is being written has a place. The rest is still in the
  // real database, for the next page.
  const texts = deviceState.get().trouble === null ? await putBack(owner, known) : [];
  return { texts, files: await findLost(known.files) };
}

async function putBack(owner: string, { drafts, items }: Known): Promise<string[]> {
  return db.transaction('rw', db.drafts, db.outbox, async () => {
    const titles: string[] = [];
    for (const item of items) {
      if (await db.outbox.get([owner, item.id])) continue;
      await db.outbox.put(item.state === 'sending' ? { ...item, state: 'queued' } : item);
      titles.push(item.fields.title);
    }
    for (const draft of drafts) {
      const key: [string, string] = [owner, draft.id];
      if ((await db.drafts.get(key)) ?? (await db.outbox.get(key))) continue;
      await db.drafts.put(draft);
      titles.push(draft.fields.title);
    }
    return titles;
  });
}

/** @returns the names of the files that are gone; their drafts say so too, for as long as it is so */
async function findLost(files: readonly KeptFileRow[]): Promise<string[]> {
  const isGone = deviceState.get().trouble === null;
  const lost = isGone ? await noteLost(files) : files.filter(({ complete }) => complete);
  for (const { capsuleId, name } of lost) {
    refuseFiles(capsuleId, [
      isGone
        ? `“${name}” is no longer on this device: the browser has deleted it. Please add it again.`
        : `“${name}” cannot be reached from this page any more.`,
    ]);
  }
  return lost.map(({ name }) => name);
}
