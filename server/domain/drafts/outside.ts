import { type DraftContent, withVersions } from '../../../shared/api/drafts.ts';
import { withoutNul } from '../../../shared/api/fields.ts';
import { isDay } from '../../../shared/day.ts';
import { NAME_MAX } from '../../../shared/limits.ts';

/** A draft as it is stored: its text, and beside it what those who add may be told of it. */
export function toStore({ fields, files }: DraftContent) {
  // It leaves as it stands, and apps of before know no draft without other versions.
  const content = JSON.stringify({ fields, files, otherVersions: [] });
  return { content, ...outsideOf({ fields, files }) };
}

/** What a server of before has stored may have other versions. */
export function readStored(text: string): DraftContent {
  const stored: Parameters<typeof withVersions<DraftContent>>[0] = JSON.parse(text);
  return withVersions(stored);
}

/** A stored draft as it leaves. */
export function storedText(text: string): string {
  return text.endsWith('"otherVersions":[]}') ? text : toStore(readStored(text)).content;
}

/** What is read of a draft without its text, which may be megabytes. */
export function outsideOf({ fields: { title, recipients, dateToUnlock } }: DraftContent) {
  const others = recipients.filter(({ isYou }) => !isYou);
  const names = others.map(({ givenName, name }) => asText(givenName || name).slice(0, NAME_MAX));
  return {
    title: asText(title),
    // Never an address, where one stands for a name.
    recipientNames: names.filter((name) => name !== '' && !name.includes('@')),
    dateToUnlock: isDay(dateToUnlock) ? dateToUnlock : '',
  };
}

/** What is half-typed may have characters that a column has no place for. */
const asText = (written: string) => withoutNul(written.trim()).toWellFormed();
