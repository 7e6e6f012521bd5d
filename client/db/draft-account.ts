import type { DraftContent } from '../../shared/api/drafts.ts';
import type { Attachment, DraftRow } from './tables.ts';

/*
 * What a draft on this device is to the account, and what an answer of the account makes of it. No
 * function here reads or writes anything.
 */

/** A draft with its files, in display order. */
export interface StoredDraft {
  draft: DraftRow;
  files: Attachment[];
}

const NOTHING: DraftContent = {
  fields: {
    title: '',
    description: '',
    personalMessage: '',
    recipients: [],
    dateToUnlock: '',
    notifyRecipient: false,
  },
  files: [],
  otherVersions: [],
};

/** What of a draft goes to the account. A file that is being copied follows when it is whole. */
export function contentOf(
  { fields, otherVersions = [] }: Pick<DraftRow, 'fields' | 'otherVersions'>,
  files: readonly Attachment[],
): DraftContent {
  return {
    // Rows of older versions may lack a field.
    fields: { ...NOTHING.fields, ...fields },
    files: files.filter(isWhole).map(({ id, name, type, bytes }) => ({ id, name, type, bytes })),
    otherVersions,
  };
}

function isWhole({ complete, isElsewhere }: Attachment): boolean {
  return complete || isElsewhere === true;
}

/** Whether two contents say the same, in whatever order their keys are. */
export function isSame(one: DraftContent, other: DraftContent): boolean {
  return canonical(one) === canonical(other);
}

function canonical(content: DraftContent): string {
  return JSON.stringify(content, (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );
}

/** Whether a draft is meant for the account. What was shared from outside waits for its "Add". */
export function isForAccount({ onlyHere, isSetAside }: DraftRow): boolean {
  return !onlyHere && !isSetAside;
}

/** Whether the account lacks something of a draft that is meant for it. Bytes of files do not count. */
export function isDirty({ draft, files }: StoredDraft): boolean {
  const { account } = draft;
  if (!isForAccount(draft)) return false;
  if (!account || account.sent) return true;
  return !isSame(contentOf(draft, files), account.content);
}

/** Where the newest words of a draft are safe. */
export function whereSaved(draft: DraftRow): 'account' | 'device' {
  const { account } = draft;
  if (!account || account.revision === 0 || !isForAccount(draft)) return 'device';
  const words = { ...contentOf(draft, []), files: account.content.files };
  return isSame(words, account.content) ? 'account' : 'device';
}
