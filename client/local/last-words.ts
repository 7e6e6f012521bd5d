import type { Database, DraftRow } from './db.ts';
import { EMPTY_DRAFT, mergeDrafts } from './drafts.ts';
import { LAST_WORDS } from './names.ts';
import { isDraft } from './rows.ts';

/**
 * What was typed in the instants before a page went. No write to a database ends any more by
 * then; one to this storage does, and the next page puts it where it belongs.
 */
interface LastWords {
  draft: DraftRow;
  /** The draft as that page last read or saved it; null when it never had. */
  base: DraftRow | null;
}

/** Keeps what is not written yet; for a page that is being left. */
export function noteLastWords(words: LastWords): void {
  try {
    localStorage.setItem(nameOf(words.draft), JSON.stringify(words));
  } catch {
    // Storage is full or forbidden: the write that has begun may still end well.
  }
}

/** It is written, or nobody wants it any more. */
export function forgetLastWords(draft: Pick<DraftRow, 'owner' | 'id'>): void {
  try {
    localStorage.removeItem(nameOf(draft));
  } catch {
    // Storage is forbidden: there is nothing to forget.
  }
}

/** Puts what earlier pages left behind into their drafts; for a page that opens the database. */
export async function landLastWords(database: Database): Promise<void> {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(LAST_WORDS)) continue;
    const text = localStorage.getItem(name);
    const words = text === null ? null : parse(text);
    if (words) await land(database, words);
    // Another page may have left in the meantime.
    if (localStorage.getItem(name) === text) localStorage.removeItem(name);
  }
}

/** Into the draft as it stands by now: in a field that both have changed, the later one wins. */
function land({ drafts, outbox }: Database, { draft, base }: LastWords): Promise<void> {
  const key: [string, string] = [draft.owner, draft.id];
  return drafts.db.transaction('rw', drafts, outbox, async () => {
    // Sealed: its words change no more.
    if (await outbox.get(key)) return;
    const stored: unknown = await drafts.get(key);
    const before = base ?? { ...draft, fields: EMPTY_DRAFT };
    if (!isDraft(stored)) await drafts.put(draft);
    else if (stored.updatedAt < draft.updatedAt)
      await drafts.put(mergeDrafts(before, draft, stored).draft);
    else await drafts.put(mergeDrafts(before, stored, draft).draft);
  });
}

function parse(text: string): LastWords | null {
  try {
    const { draft, base } = JSON.parse(text);
    return isDraft(draft) ? { draft, base: isDraft(base) ? base : null } : null;
  } catch {
    return null;
  }
}

function nameOf({ owner, id }: Pick<DraftRow, 'owner' | 'id'>): string {
  return `${LAST_WORDS}${owner} ${id}`;
}
