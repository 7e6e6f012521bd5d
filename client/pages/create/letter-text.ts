import type { DraftFields } from '../../db/tables.ts';
import { fileCountText, firstName, listText, longDay } from '../format.ts';

/** '84 words', '1 word', 'No letter yet'. */
export function letterText(message: string): string {
  const count = message.match(/\S+/g)?.length ?? 0;
  if (count === 0) return 'No letter yet';
  return count === 1 ? '1 word' : `${count} words`;
}

/** 'For Mia and Tom, on 4 May 2040, 84 words, 3 files'; empty where there is nothing to say. */
export function summaryText(
  { recipients, dateToUnlock, personalMessage }: DraftFields,
  fileCount: number,
  others: readonly string[],
): string {
  const people = recipients.map((one) => (one.isYou ? 'yourself' : firstName(one)));
  const parts = [
    people.length > 0 && `for ${listText(people)}`,
    dateToUnlock !== '' && `on ${longDay(dateToUnlock)}`,
    personalMessage.trim() !== '' && letterText(personalMessage),
    fileCount > 0 && fileCountText(fileCount),
    others.length > 0 && `something from ${listText(others)}`,
  ];
  const text = parts.filter((part) => part !== false).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
