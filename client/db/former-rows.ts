import { type DraftContent, type OtherVersion, withVersions } from '../../shared/api/drafts.ts';
import {
  type ContributionFields,
  type ContributionRow,
  type DraftAccount,
  type DraftFields,
  type DraftRow,
  EMPTY_DRAFT,
  randomUuid,
} from './tables.ts';

/* Rows as earlier versions of the app have left them, for the steps of db/database. */

/** Other versions of a text stood beside it once. */
export function putVersionsIn(row: Partial<Pick<DraftRow, 'fields'>> & FormerRow): void {
  const { fields, otherVersions } = row;
  if (otherVersions && fields) {
    row.fields = withVersions({ fields: { ...EMPTY_DRAFT, ...fields }, otherVersions }).fields;
  }
  delete row.otherVersions;
  for (const account of [row.account, row.discarded]) {
    if (!account) continue;
    account.content = withVersions(account.content);
    const { sent, writeId = randomUuid() } = account;
    if (sent) account.unanswered = { id: writeId, content: withVersions(sent) };
    delete account.sent;
    delete account.writeId;
  }
}

interface FormerRow {
  otherVersions?: OtherVersion[];
  account?: FormerAccount;
  discarded?: FormerAccount;
}

type FormerAccount = DraftAccount & { sent?: DraftContent; writeId?: string };

/** A draft or a queued capsule, as each file named it once. */
interface FormerNaming {
  id: string;
  /** Of a draft: files that wait in the outbox under another id. */
  queuedFiles?: { id: string }[];
  /** Of a queued capsule. */
  fileCount?: number;
  elsewhere?: unknown;
  movedFrom?: unknown;
}

export interface FormerFile {
  id: string;
  /** Of what named it. */
  capsuleId?: string;
  /** Their order was that of these times. */
  addedAt?: number;
}

/** The row with the ids of its files in their order, which the files themselves said. */
export function nameFiles(row: FormerNaming, all: readonly FormerFile[]) {
  const { queuedFiles = [], fileCount = 0, elsewhere: _, movedFrom: __, ...rest } = row;
  const own = all.filter(({ capsuleId }) => capsuleId === row.id);
  own.sort((a, b) => Number(a.addedAt) - Number(b.addedAt));
  const files = [...own, ...queuedFiles].map(({ id }) => id);
  // A file that has got lost is still missed when the capsule is sent.
  while (files.length < fileCount) files.push(randomUuid());
  return { ...rest, files };
}

/** A draft, as what somebody adds was one: its title was their name, its message their letter. */
interface FormerContribution extends Pick<DraftRow, 'id' | 'fields' | 'files' | 'updatedAt'> {
  onlyHere?: boolean;
  account?: DraftAccount;
  adding: ContributionRow['asked'] &
    Pick<ContributionRow, 'token' | 'secret' | 'newSecret'> & {
      isTakenBack?: true;
      outcome?: 'sealed' | 'late' | 'gone' | 'elsewhere' | 'ended';
    };
}

export function contributionOf(row: FormerContribution): ContributionRow {
  const { id, fields, files, updatedAt, onlyHere, account, adding } = row;
  const { token, secret, newSecret, isTakenBack, outcome, ...asked } = adding;
  const { revision = 0, content, unanswered, sentAt } = account ?? {};
  return {
    ...{ id, files, updatedAt, token, secret, asked },
    fields: { name: fields.title, letter: fields.personalMessage },
    state: outcome ?? (isTakenBack ? 'taken-back' : onlyHere ? 'writing' : 'given'),
    ...(newSecret && { newSecret }),
    ...(content && revision > 0 && { known: { revision, ...addedOf(content) } }),
    ...(unanswered && { sent: addedOf(unanswered.content), sentAt }),
  };
}

/** What a page of a version before has left of one. */
export function partFields(fields: Partial<DraftFields & ContributionFields> | undefined) {
  if (!fields) return undefined;
  const { title, personalMessage, name = title, letter = personalMessage } = fields;
  return { ...(name !== undefined && { name }), ...(letter !== undefined && { letter }) };
}

const addedOf = ({ fields, files }: DraftContent) => ({
  ...{ name: fields.title, letter: fields.personalMessage, files },
});
