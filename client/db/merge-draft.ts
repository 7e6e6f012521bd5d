import type { DraftContent, DraftRevision, OtherVersion } from '../../shared/api/drafts.ts';

/*
 * The rules by which what two devices have written in one draft comes together. Revisions decide and
 * never clocks. Nothing that was written is thrown away: where both have written in the same text, what
 * stands here stays, and the other one is kept as another version.
 */

const TEXT_FIELDS = ['title', 'description', 'personalMessage'] as const;

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
    ({ email }) => email.toLowerCase(),
  );
  const versions = mergeLists(
    base?.otherVersions,
    mine.otherVersions,
    theirs.otherVersions,
    ({ id }) => id,
  );
  const { revision, writtenOn, writtenAt } = theirRevision;
  const isNew = Object.keys(lost).length > 0 && versions.every(({ id }) => id !== revision);
  return {
    fields,
    files: mergeLists(base?.files, mine.files, theirs.files, ({ id }) => id),
    otherVersions: isNew
      ? [...versions, { id: revision, fields: lost, writtenOn, writtenAt }]
      : versions,
  };
}

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
  const otherVersions = draft.otherVersions.filter(({ id }) => id !== version.id);
  if (Object.keys(replaced).length > 0) {
    const id = -now.getTime();
    otherVersions.push({ id, fields: replaced, writtenOn: '', writtenAt: now.toISOString() });
  }
  return { ...draft, fields: { ...draft.fields, ...version.fields }, otherVersions };
}
