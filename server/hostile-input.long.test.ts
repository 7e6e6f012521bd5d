import { expect, it } from 'vitest';
import { draftContentSchema } from '../shared/api/drafts.ts';
import { nameField, newEmailField, searchField } from '../shared/api/fields.ts';
import { newCapsuleSchema } from '../shared/api/new-capsule.ts';
import { isDay, isTimeZone } from '../shared/day.ts';
import { DRAFT_MAX_BYTES } from '../shared/limits.ts';
import { isBlank } from '../shared/visible-text.ts';
import { hostileEmails } from '../tests/support/hostile-emails.ts';
import { processorMs, processorMsOf } from '../tests/support/processor-time.ts';
import { archivePath } from './domain/export/archive-path.ts';
import { HEAD_BYTES, sniffType } from './files/sniff.ts';
import { parseRange } from './http/byte-range.ts';
import { clientOf } from './http/client-address.ts';
import { contentDisposition, shorten } from './http/content-disposition.ts';
import { etagMatches } from './http/etag.ts';
import { parse, parseJson } from './http/route.ts';
import { readBounceReport } from './mail/bounce-report.ts';
import { asReason } from './mail/mailer.ts';
import { saysGone, statusIn } from './mail/status.ts';
import { greet, nameInSubject, oneLine } from './mail/templates/plain.ts';

/** What Node takes of all headers of a request, and busboy of those of a part. */
const HEADER = 16_384;
const MESSAGE = 50_000;

/** Every text that strangers send and a pattern or a loop reads, with the most that may come. */
const DOORS: Record<string, [characters: number, read: (text: string) => unknown]> = {
  'a JSON body, before it is read': [409_600, parseJson],
  'the part "capsule"': [409_600, (text) => parse(newCapsuleSchema, capsuleOf(text))],
  'a JSON field: a name': [409_600, (text) => parse(nameField, text)],
  'a JSON field: an address': [409_600, (text) => parse(newEmailField(), text)],
  'a draft, before it is read': [DRAFT_MAX_BYTES, (text) => parseJson(text, 10_000)],
  'a draft': [DRAFT_MAX_BYTES, (text) => parse(draftContentSchema, draftOf(text))],
  'a search': [HEADER, (text) => parse(searchField, text)],
  'a day': [HEADER, isDay],
  'a time zone': [HEADER, isTimeZone],
  'If-None-Match': [HEADER, (text) => etagMatches(text, 'W/"a"')],
  Range: [HEADER, (text) => parseRange(text, 100)],
  'X-Forwarded-For': [HEADER, clientOf],
  'the name of a file, as it arrives': [HEADER, shorten],
  'the name of a file, in a download': [HEADER, (text) => contentDisposition('attachment', text)],
  'the name of a file, in an export': [
    255,
    (name) => archivePath('files', { position: 1, name, type: 'image/png' }),
  ],
  'a title or a name, in an email': [MESSAGE, (text) => [oneLine(text), greet('Hello', text)]],
  'a name, in a subject': [200, nameInSubject],
  'whether a text is empty': [MESSAGE, isBlank],
  "a mail server's answer": [262_144, (text) => [asReason(text), saysGone([statusIn(text)], text)]],
};

/** A capsule whose fields share a text, which is as long as all of them may be. */
function capsuleOf(text: string) {
  const part = text.slice(0, text.length / 60);
  return {
    title: part,
    description: part,
    personalMessage: part,
    dateToUnlock: part,
    timeZone: part,
    recipientEmails: Array.from({ length: 50 }, () => part),
    uploads: [part],
  };
}

/** A draft whose texts share one. */
function draftOf(text: string) {
  const part = text.slice(0, text.length / 6);
  const fields = { title: part, description: part, personalMessage: part, dateToUnlock: part };
  const others = { recipients: [], notifyRecipient: true };
  return {
    fields: { ...fields, ...others },
    files: [{ id: part, name: part, type: part, bytes: 1 }],
  };
}

/** `HOSTILE_TABLE=1 npm run t -- server/hostile-input.long.test.ts` prints the table of docs/security.md. */
function judge(what: string, characters: number, worst: number, allowed = 50): void {
  const row = `| ${what} | ${characters.toLocaleString('en')} | ${worst.toFixed(1)} ms |`;
  if (process.env.HOSTILE_TABLE) process.stdout.write(`${row}\n`);
  expect(worst).toBeLessThan(allowed);
}

/** What patterns begin with, end with, or go on over. */
const PIECES = [
  ...[
    'a',
    ' ',
    '.',
    '"',
    '\\"',
    '\\',
    '<',
    '>',
    '@',
    'a@',
    '/',
    '=',
    '%',
    '%22',
    '\n',
    '\r\n',
    '\t',
  ],
  ...['\0', '-', ':', '::', ',', ';', '0', '1:', '[', '{"a":', '[]', '&', 'user ', '550 ', 'W/"'],
  ...['. ', ' .', 'a.', '(', '+', '\u00A0', '\u0301\u0327', '\u200D', '\u{1F468}\u200D', '\u202E'],
  ...['A.', '0 ', '\u0628\u064B', '\u200C', '\u2800', '\uD800', 'İ', 'bytes=0', 'Europe/'],
];

/** So many characters of one piece, by themselves and between others. */
function texts(characters: number): string[] {
  return PIECES.flatMap((piece) => {
    const filling = piece.repeat(characters / piece.length - 1);
    return [filling, `a${filling.slice(1)}`, `"${filling.slice(2)}a`];
  });
}

it.each(Object.entries(DOORS))('%s: the worst text takes less than 50 ms', (what, door) => {
  const [characters, read] = door;
  const times = texts(characters).map((text) => processorMs(() => read(text)));
  judge(what, characters, Math.max(...times));
});

it('an email in the bounce mailbox: the worst one takes less than 100 ms', async () => {
  let worst = 0;
  const emails = hostileEmails('0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1d');
  for (const [, email] of emails) {
    const bytes = Buffer.from(email, 'latin1');
    worst = Math.max(worst, await processorMsOf(() => readBounceReport(bytes)));
  }
  judge('an email in the bounce mailbox', 262_144, worst, 100);
});

/** How files begin, as far as it decides how they are read on. */
const HEADS = [
  ...['', '<', '<!--', '<?xml', '<!DOCTYPE svg [', '<svg', '%PDF-', 'II*\0', 'MM\0*', 'OggS\0\x02'],
  ...[
    'RIFF\xff\xff\xff\xffWEBP',
    '\0\0\0\x18ftypavif',
    '\0\0\0\x08skip',
    '\x1aE\xdf\xa3',
    'ID3\x04\0',
  ],
  ...[
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    'GIF89a',
    'PK\x03\x04',
    '\x1f\x8b',
    '0&\xb2u\x8ef\xcf\x11',
  ],
  ...[
    '\xff\xfe<\0',
    '\xef\xbb\xbf<',
    'MP4',
    'FORM',
    'fLaC',
    '\x47',
    '\x1f\x07\0',
    '8BPS',
    '\xff\xd8',
  ],
];

it('the head of a file: the worst one takes less than 50 ms', async () => {
  let worst = 0;
  for (const begin of HEADS) {
    for (const piece of [...PIECES, begin, `${begin} `, '-->', ']', '\xff', '\0\0\0\x08free']) {
      if (piece === '') continue;
      const text = begin + piece.repeat((HEAD_BYTES - begin.length) / piece.length);
      const bytes = Buffer.from(text, 'latin1');
      worst = Math.max(worst, await processorMsOf(() => sniffType(bytes)));
    }
  }
  judge('the head of a file', HEAD_BYTES, worst);
});
