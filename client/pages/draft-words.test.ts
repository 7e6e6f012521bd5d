import { expect, test } from 'vitest';
import { type DraftRow, EMPTY_DRAFT } from '../db/tables.ts';
import { savedText, writtenText } from './draft-words.ts';

const NOW = new Date(2026, 5, 14, 15, 30);
const SAVED_AT = new Date(2026, 5, 14, 14, 3).getTime();
const account = { revision: 7, content: { fields: EMPTY_DRAFT, files: [] } };
const draft: DraftRow = { id: 'one', fields: EMPTY_DRAFT, files: [], updatedAt: SAVED_AT };
const ELSEWHERE = { ...account, writtenOn: 'Chrome on Android' };
const YESTERDAY = new Date(2026, 5, 13, 22, 0).getTime();

test.each([
  ['Saved to your account 14:03', { draft: { ...draft, account } }],
  [
    "Saved to your account 14:03. 1 file isn't there yet.",
    { draft: { ...draft, account }, missingFiles: 1 },
  ],
  [
    "Saved to your account 14:03. 2 files aren't there yet.",
    { draft: { ...draft, account }, missingFiles: 2 },
  ],
  ['Saved on this device 14:03', { missingFiles: 1 }],
  [
    "Saved on this device 14:03. It goes to your account once there's a connection.",
    { isOnline: false },
  ],
  [
    "Saved on this device 14:03. It's not in your account. Your storage is full.",
    { draft: { ...draft, account: { ...account, revision: 0, refusal: 'Your storage is full.' } } },
  ],
  ['Saved on this device 14:03', { draft: { ...draft, onlyHere: true }, isOnline: false }],
])('says “%s”', (text, changed) => {
  const saved = { draft, savedAt: SAVED_AT, missingFiles: 0, isOnline: true, ...changed };
  expect(savedText(saved, NOW)).toBe(text);
});

test.each([
  ['Only on this device, 14:03', { onlyHere: true }],
  ['Saved on this device 14:03', {}],
  ['Saved to your account 14:03', { account }],
  ['Written on Chrome on Android, 13 Jun, 22:00', { account: ELSEWHERE, updatedAt: YESTERDAY }],
])('lists a draft as “%s”', (text, changed) => {
  expect(writtenText({ ...draft, ...changed }, NOW)).toBe(text);
});
