import { type AccountDraft, type DraftContent, restOf } from '../../shared/api/drafts.ts';
import { isSame, mergeDraft } from './merge-draft.ts';
import {
  type Attachment,
  type DraftAccount,
  type DraftFields,
  type DraftRow,
  EMPTY_DRAFT,
} from './tables.ts';

/*
 * What a draft on this device is to the account, and what an answer of the account makes of it. No
 * function here reads or writes anything.
 */

/** Why what is left of a draft stands in the form once another device has sealed it. */
export const SEALED_ELSEWHERE =
  'You sealed this on another device, without what you wrote or added here last. All of it is still a draft.';

/** The same, without files that are in the capsule. */
const SEALED_WITH_FILES =
  'You sealed this on another device, with its files, without what you wrote here last. The whole letter is still a draft.';

/** Why a draft stands here that another device has discarded. */
const DISCARDED_ELSEWHERE = 'You discarded this elsewhere. What you wrote here is still a draft.';

/** Why a draft stands here that was discarded here. */
export const DISCARDED_HERE =
  "You discarded this here. It's back because you went on writing on another device.";

/** Why what is left of a draft stands here that was sealed here. */
export const SEALED_HERE =
  'You sealed this here. This draft also has what you wrote on another device.';

/** A draft and the rows of its files, in display order. */
export interface StoredDraft {
  draft: Omit<DraftRow, 'files'>;
  files: Attachment[];
}

export const NOTHING: DraftContent = { fields: EMPTY_DRAFT, files: [] };

/** Of a draft that the account doesn't have under its id, or that this device hasn't heard of. */
export function begunWith(fields: DraftFields): DraftAccount {
  return { revision: 0, content: { fields, files: [] } };
}

export const NEVER_SENT = begunWith(EMPTY_DRAFT);

/** What of a draft goes to the account. A file that is being copied follows when it is whole. */
export function contentOf(
  { fields }: Pick<DraftRow, 'fields'>,
  files: readonly Attachment[],
): DraftContent {
  // Rows of older versions may lack a field.
  return { fields: { ...NOTHING.fields, ...fields }, files: files.filter(isWhole).map(nameOf) };
}

/** As a content names a file. */
export function nameOf({ id, name, type, bytes }: Attachment): DraftContent['files'][number] {
  return { id, name, type, bytes };
}

function isWhole({ complete, isElsewhere }: Attachment): boolean {
  return complete || isElsewhere === true;
}

/** Whether a draft is meant for the account. What was shared from outside waits for its "Add". */
export function isForAccount({ onlyHere, isSetAside }: StoredDraft['draft']): boolean {
  return !onlyHere && !isSetAside;
}

/** Whether the account lacks something of a draft that is meant for it. Bytes of files do not count. */
export function isDirty({ draft, files }: StoredDraft): boolean {
  const { account } = draft;
  if (!isForAccount(draft)) return false;
  if (!account?.revision || account.unanswered) return true;
  return !isSame(contentOf(draft, files), account.content);
}

/** Whether nothing of a draft is lost with this device, not even bytes of its files. */
export function isSafe(stored: StoredDraft): boolean {
  return !isDirty(stored) && stored.files.every((file) => file.hasArrived || file.isElsewhere);
}

/** Where the newest words of a draft are safe. */
export function whereSaved(draft: DraftRow): 'account' | 'device' {
  const { account } = draft;
  if (!account || account.revision === 0 || !isForAccount(draft)) return 'device';
  const words = { ...contentOf(draft, []), files: account.content.files };
  return isSame(words, account.content) ? 'account' : 'device';
}

interface Received {
  /** What is here from now on; null where the draft is gone. Perhaps it has a new id. */
  after: StoredDraft | null;
  /** What the person is told. */
  news?: 'sealed' | 'discarded';
}

/**
 * What an answer of the account makes of a draft on this device.
 * @param known the files that the account names here, as far as this device has them
 */
export function receive(
  here: StoredDraft | null,
  there: AccountDraft,
  known: readonly Attachment[],
): Received {
  const { content } = there;
  if (content === null) return here ? whenGone(here, there) : { after: null };
  return { after: here ? merged(here, there, content, known) : begun(there, content, known) };
}

/** A draft that another device has begun. */
function begun(
  there: AccountDraft,
  content: DraftContent,
  known: readonly Attachment[],
): StoredDraft {
  const { id, revision, writtenOn, writtenAt } = there;
  const draft = {
    id,
    fields: content.fields as DraftFields,
    updatedAt: Date.parse(writtenAt),
    account: { revision, content, writtenOn },
  };
  return { draft, files: filesOf(known, there, content) };
}

function merged(
  here: StoredDraft,
  there: AccountDraft,
  theirs: DraftContent,
  known: readonly Attachment[],
): StoredDraft {
  const { draft, files } = here;
  const { account = NEVER_SENT, ...row } = draft;
  const { unanswered, isReopened: _, ...before } = account;
  const isNews = there.revision !== before.revision;
  const writtenOn = isNews && !isLastWrite(account, there) ? there.writtenOn : before.writtenOn;
  const mine = contentOf(draft, files);
  // It may have been written while this device's clock was ahead.
  const isLater = Math.min(draft.updatedAt, Date.now()) > Date.parse(there.writtenAt);
  const result = isNews ? mergeDraft(commonBase(account, there), mine, theirs, isLater) : mine;
  const isChanged = !isSame(result, mine);
  const named = filesOf([...files, ...known], there, result);
  const isLeft = (file: Attachment) => !isWhole(file) && named.every(({ id }) => id !== file.id);
  return {
    draft: {
      ...row,
      fields: { ...draft.fields, ...(result.fields as DraftFields) },
      // Other tabs and the open form follow rows that are newer than theirs.
      updatedAt: isChanged
        ? Math.max(draft.updatedAt + 1, Date.parse(there.writtenAt))
        : draft.updatedAt,
      account: {
        ...before,
        revision: there.revision,
        content: theirs,
        ...(writtenOn && { writtenOn }),
        // Until there is another revision, what was sent may still arrive.
        ...(unanswered && !isNews && { unanswered }),
      },
    },
    files: [...named, ...files.filter(isLeft)],
  };
}

function whenGone(here: StoredDraft, there: AccountDraft): Received {
  const { draft, files } = here;
  const { gone } = there;
  const before = commonBase(draft.account ?? NEVER_SENT, there);
  // Files that the account has are in the capsule, or in what it has kept as a draft.
  const left = files.filter((file) => !file.isElsewhere && !file.hasArrived);
  // One that is being copied is writing.
  const hasMore = left.some(({ lost, complete }) => !lost && (gone === 'sealed' || !complete));
  // Pressing "Create" is writing: it came after the account had these words.
  const isWritten = gone === 'discarded' && draft.account?.isReopened;
  const isKnown = isSame(contentOf(draft, files), before) && !hasMore;
  if (gone === null || (isKnown && !isWritten)) {
    return { after: null, news: gone ?? 'discarded' };
  }
  const { account: _, failure: __, ...row } = draft;
  const updatedAt = draft.updatedAt + 1;
  if (gone === 'discarded') {
    // Written wins: it is sent again, on the revision that discarded it.
    const account = { revision: there.revision, content: NOTHING };
    const next = { ...row, updatedAt, account, news: DISCARDED_ELSEWHERE };
    return { after: { draft: next, files } };
  }
  const account = begunWith(before.fields as DraftFields);
  const news = left.length < files.length ? SEALED_WITH_FILES : SEALED_ELSEWHERE;
  const rest = { ...row, id: restOf(draft.id), updatedAt, account, news };
  return { after: { draft: rest, files: left }, news: 'sealed' };
}

/** What both have begun with: what was sent from here without an answer, where the account has that. */
function commonBase({ content, unanswered }: DraftAccount, there: AccountDraft) {
  if (!unanswered) return content;
  // A write of an earlier version of the app had no id.
  const hasArrived =
    there.writes?.includes(unanswered.id) || isSame(unanswered.content, there.content);
  return hasArrived ? unanswered.content : content;
}

/** Whether the account's last revision is what was sent from here, though no answer came. */
export function isLastWrite({ unanswered }: DraftAccount, { writes }: AccountDraft): boolean {
  return unanswered !== undefined && writes?.at(-1) === unanswered.id;
}

/** The rows of the files of a content, in its order, with those whose bytes are on another device. */
function filesOf(
  known: readonly Attachment[],
  { arrived }: AccountDraft,
  { files }: DraftContent,
): Attachment[] {
  return files.map((file) => {
    const { hasArrived: _, ...row } = known.find(({ id }) => id === file.id) ?? {
      ...{ ...file, lastModified: 0, thumbnail: null },
      ...{ complete: false, announced: true, isElsewhere: true as const },
    };
    return arrived.includes(file.id) ? { ...row, hasArrived: true as const } : row;
  });
}

/** The account has taken what was sent. */
export function afterSaving(account: DraftAccount, revision: number): DraftAccount {
  const { unanswered, refusal, refusedAt, writtenOn, isReopened, ...known } = account;
  return { ...known, revision, content: unanswered?.content ?? account.content };
}
