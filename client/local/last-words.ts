import type { Database, DraftRow } from './db.ts';
import { EMPTY_DRAFT, mergeDrafts } from './drafts.ts';
import { LAST_WORDS, namesOfLastWords } from './last-words-names.ts';
import { readKnownPerson } from './owner.ts';
import { isDraft } from './rows.ts';
import { randomUuid } from './uuid.ts';

/**
 * What was typed in the instants before a page went. No write to a database ends any more by
 * then; one to this storage does, and the next page puts it where it belongs.
 */
interface LastWords {
  draft: DraftRow;
  /** The draft as that page last read or saved it; null when it never had. */
  base: DraftRow | null;
}

/** Two windows that are closed at once have words of their own each. */
const PAGE = randomUuid();

/** Keeps what is not written yet; for a page that is being left. */
export function noteLastWords(words: LastWords): void {
  try {
    localStorage.setItem(nameOf(words.draft), JSON.stringify(words));
  } catch {
    // Storage is full or forbidden: the write that has begun may still end well.
  }
}

/**
 * What this page noted of a draft is written, or nobody wants it any more.
 * @param draft as it was written; words that are newer stay
 */
export function forgetLastWords(draft: DraftRow): void {
  try {
    const text = localStorage.getItem(nameOf(draft));
    if (text === null) return;
    const words = parse(text);
    if (words && words.draft.updatedAt > draft.updatedAt) return;
    localStorage.removeItem(nameOf(draft));
  } catch {
    // Storage is forbidden: there is nothing to forget.
  }
}

/** Puts what other pages have left behind into their drafts, as far as they are this person's. */
export async function landLastWords(database: Database): Promise<void> {
  for (const name of namesOfLastWords()) {
    const text = localStorage.getItem(name);
    const words = text === null ? null : parse(text);
    const isDone = words === null || (await land(database, words));
    // That page may have come back in the meantime, and left again.
    if (isDone && localStorage.getItem(name) === text) localStorage.removeItem(name);
  }
}

/**
 * Into the draft as it stands by now: in a field that both have changed, the later one wins.
 * @returns false when its person is not the one who is here: what is theirs waits for them
 */
function land(database: Database, { draft, base }: LastWords): Promise<boolean> {
  const key: [string, string] = [draft.owner, draft.id];
  // By way of the database that was handed in: the other one waits until this is done.
  return database.transaction('rw', 'drafts', 'outbox', 'meta', async (transaction) => {
    if ((await readKnownPerson()) !== draft.owner) return false;
    const drafts: Database['drafts'] = transaction.table('drafts');
    const stored: unknown = await drafts.get(key);
    if (!isDraft(stored)) {
      // What was kept once and is not any more was sealed or discarded: its words change no more.
      const isSealed = (await transaction.table('outbox').get(key)) !== undefined;
      if (base === null && !isSealed) await drafts.put(draft);
      return true;
    }
    const before = base ?? { ...draft, fields: EMPTY_DRAFT };
    const [later, earlier] = stored.updatedAt < draft.updatedAt ? [draft, stored] : [stored, draft];
    await drafts.put(mergeDrafts(before, later, earlier).draft);
    return true;
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
  return `${LAST_WORDS}${owner} ${id} ${PAGE}`;
}
