import type { DraftContent } from '../../shared/api/drafts.ts';
import { type MergedText, mergeText } from './merge-text.ts';
import type { DraftFields } from './tables.ts';

/*
 * The rules by which what two devices have written in one draft comes together. Nothing is asked, and
 * no word of a letter or a description is thrown away.
 */

export const TEXT_FIELDS = ['title', 'description', 'personalMessage'] as const;

export interface MergedFields {
  fields: DraftFields;
  /** Each text, with where a caret in mine goes. */
  texts: Record<(typeof TEXT_FIELDS)[number], MergedText>;
}

/**
 * @param base what both have begun with
 * @param mine of the device that merges
 * @param isLater whether mine were written last: of two titles, days or switches these stand
 */
export function mergeFields(
  base: DraftFields,
  mine: DraftFields,
  theirs: DraftFields,
  isLater = true,
): MergedFields {
  const later = <Value>(before: Value, here: Value, there: Value) =>
    here === before || (there !== before && !isLater) ? there : here;
  const text = (name: (typeof TEXT_FIELDS)[number]) =>
    mergeText(base[name], mine[name], theirs[name]);
  const texts = {
    // Half of each title would be no title.
    title: mergeText(mine.title, mine.title, later(base.title, mine.title, theirs.title)),
    description: text('description'),
    personalMessage: text('personalMessage'),
  };
  return {
    texts,
    fields: {
      title: texts.title.text,
      description: texts.description.text,
      personalMessage: texts.personalMessage.text,
      recipients: mergeLists(base.recipients, mine.recipients, theirs.recipients, personKey),
      dateToUnlock: later(base.dateToUnlock, mine.dateToUnlock, theirs.dateToUnlock),
      notifyRecipient: later(base.notifyRecipient, mine.notifyRecipient, theirs.notifyRecipient),
    },
  };
}

/** The same with the files. */
export function mergeDraft(
  base: DraftContent,
  mine: DraftContent,
  theirs: DraftContent,
  isLater = true,
): DraftContent {
  const fieldsOf = (content: DraftContent) => content.fields as DraftFields;
  const { fields } = mergeFields(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs), isLater);
  return {
    fields,
    files: mergeLists(base.files, mine.files, theirs.files, fileKey),
  };
}

export const personKey = ({ email }: { email: string }) => email.toLowerCase();
export const fileKey = ({ id }: { id: string }) => id;

/**
 * What either has added is in, and what either has removed is out. What was changed here, such as the name
 * of somebody to invite, stays so. Their order, then what is new here.
 */
export function mergeLists<Item>(
  base: readonly Item[],
  mine: readonly Item[],
  theirs: readonly Item[],
  keyOf: (item: Item) => unknown,
): Item[] {
  const byKey = (items: readonly Item[]) => new Map(items.map((item) => [keyOf(item), item]));
  const [inBase, inMine, inTheirs] = [byKey(base), byKey(mine), byKey(theirs)];
  const kept = theirs.flatMap((item) => {
    const [before, here] = [inBase.get(keyOf(item)), inMine.get(keyOf(item))];
    if (here === undefined) return before === undefined ? [item] : [];
    return [isSame(here, before) ? item : here];
  });
  const added = mine.filter((item) => !inTheirs.has(keyOf(item)) && !inBase.has(keyOf(item)));
  return [...kept, ...added];
}

/** Whether two values say the same, in whatever order their keys are. */
export function isSame<Value>(one: Value, other: Value | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  );
}

/** What has changed in a row. */
export interface Patch<Fields> {
  fields?: Partial<Fields>;
  /** What stood in these fields when the person changed them; without it theirs is the last word. */
  base?: Partial<Fields> | undefined;
}

export type Merge<Fields> = (base: Fields, mine: Fields, theirs: Fields) => { fields: Fields };

/** What has changed comes together with what stands there by now. */
export function patched<Fields>(
  there: Fields,
  { fields, base }: Patch<Fields>,
  merge: Merge<Fields>,
): Fields {
  const mine = { ...there, ...fields };
  return base ? merge({ ...there, ...base }, mine, there).fields : mine;
}
