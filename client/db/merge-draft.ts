import type { DraftContent, DraftRevision, OtherVersion } from '../../shared/api/drafts.ts';

/*
 * The rules by which what two devices have written in one draft comes together. Revisions decide and
 * never clocks. Nothing that was written is thrown away: where both have written in the same text, what
 * stands here stays, and the other one is kept as another version.
 */

const TEXT_FIELDS = ['title', 'description', 'personalMessage'] as const;
const SINGLE_FIELDS = [...TEXT_FIELDS, 'dateToUnlock', 'notifyRecipient'] as const;

/**
 * @param base what both have begun with; null if nothing is known of it
 * @param mine as it stands on this device
 * @param theirs as it stands on the account
 * @param theirRevision who wrote `theirs`
 */
export function mergeDraft(
  base: DraftContent | null,
  mine: DraftContent,
  theirs: DraftContent,
  theirRevision: DraftRevision,
): DraftContent {
  const fields = { ...mine.fields };
  const lost: OtherVersion['fields'] = {};
  for (const name of TEXT_FIELDS) {
    const [before, here, there] = [
      base?.fields[name] ?? '',
      mine.fields[name],
      theirs.fields[name],
    ];
    if (here === before) fields[name] = there;
    else if (there === before || there === here) continue;
    // Both have written. A text that was only emptied gives way.
    else if (here.trim() === '') fields[name] = there;
    else if (there.trim() !== '') lost[name] = there;
  }
  const { dateToUnlock = '', notifyRecipient = false } = base?.fields ?? {};
  if (fields.dateToUnlock === dateToUnlock) fields.dateToUnlock = theirs.fields.dateToUnlock;
  if (fields.notifyRecipient === notifyRecipient) {
    fields.notifyRecipient = theirs.fields.notifyRecipient;
  }
  fields.recipients = mergeLists(
    base?.fields.recipients,
    mine.fields.recipients,
    theirs.fields.recipients,
    personKey,
  );
  const versions = mergeLists(
    base?.otherVersions,
    mine.otherVersions,
    theirs.otherVersions,
    versionKey,
  );
  const { revision: id, writtenOn, writtenAt } = theirRevision;
  const version = { id, fields: lost, writtenOn, writtenAt };
  const isKnown = versions.some((one) => versionKey(one) === versionKey(version));
  const isNew = Object.keys(lost).length > 0 && !isKnown;
  return {
    fields,
    files: mergeLists(base?.files, mine.files, theirs.files, fileKey),
    otherVersions: isNew ? [...versions, version] : versions,
  };
}

/** Tells versions apart. One revision may have lost different fields on two devices. */
export function versionKey({ id, fields }: OtherVersion): string {
  return JSON.stringify([id, ...TEXT_FIELDS.map((name) => fields[name] ?? null)]);
}

/**
 * What this device and another one have both begun with. Of what was sent from here, that part
 * counts which is found in `theirs`: it has arrived, though no answer came back.
 */
export function commonBase(
  known: DraftContent,
  sent: DraftContent | undefined,
  theirs: DraftContent,
): DraftContent {
  if (!sent) return known;
  const arrived = SINGLE_FIELDS.filter((name) => theirs.fields[name] === sent.fields[name]);
  const recipients = withArrived(
    known.fields.recipients,
    sent.fields.recipients,
    theirs.fields.recipients,
    personKey,
  );
  return {
    fields: {
      ...known.fields,
      ...Object.fromEntries(arrived.map((name) => [name, sent.fields[name]])),
      recipients,
    },
    files: withArrived(known.files, sent.files, theirs.files, fileKey),
    otherVersions: withArrived(
      known.otherVersions,
      sent.otherVersions,
      theirs.otherVersions,
      versionKey,
    ),
  };
}

function withArrived<Item>(
  known: readonly Item[],
  sent: readonly Item[],
  theirs: readonly Item[],
  keyOf: (item: Item) => unknown,
): Item[] {
  const inKnown = new Set(known.map(keyOf));
  const inTheirs = new Set(theirs.map(keyOf));
  const arrived = sent.filter((item) => inTheirs.has(keyOf(item)) && !inKnown.has(keyOf(item)));
  return [...known, ...arrived];
}

const personKey = ({ email }: { email: string }) => email.toLowerCase();
const fileKey = ({ id }: { id: string }) => id;

/** What either has added is in, and what either has removed is out. Their order, then what is new here. */
function mergeLists<Item>(
  base: readonly Item[] = [],
  mine: readonly Item[],
  theirs: readonly Item[],
  keyOf: (item: Item) => unknown,
): Item[] {
  const keys = (items: readonly Item[]) => new Set(items.map(keyOf));
  const [inBase, inMine, inTheirs] = [keys(base), keys(mine), keys(theirs)];
  const kept = theirs.filter((item) => inMine.has(keyOf(item)) || !inBase.has(keyOf(item)));
  const added = mine.filter((item) => !inTheirs.has(keyOf(item)) && !inBase.has(keyOf(item)));
  return [...kept, ...added];
}

/**
 * Puts the texts of another version in place of those that stand here, which become another version
 * themselves. The new one has an id of its own: under the old id a merge would take the old texts for it.
 */
export function takeVersion<Draft extends Pick<DraftContent, 'fields' | 'otherVersions'>>(
  draft: Draft,
  version: OtherVersion,
  now: Date,
): Draft {
  const replaced: OtherVersion['fields'] = {};
  for (const name of TEXT_FIELDS) {
    const here = draft.fields[name];
    if (version.fields[name] !== undefined && here.trim() !== '') replaced[name] = here;
  }
  const otherVersions = draft.otherVersions.filter(
    (one) => versionKey(one) !== versionKey(version),
  );
  if (Object.keys(replaced).length > 0) {
    const id = -now.getTime();
    otherVersions.push({ id, fields: replaced, writtenOn: '', writtenAt: now.toISOString() });
  }
  return { ...draft, fields: { ...draft.fields, ...version.fields }, otherVersions };
}
