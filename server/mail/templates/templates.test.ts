import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KIND_NAMES } from '../kinds.ts';
import { capsuleOpenedMail } from './capsule-opened.ts';
import { capsuleWaitingMail } from './capsule-waiting.ts';
import { confirmAddressMail } from './confirm-address.ts';
import { passwordResetMail } from './password-reset.ts';
import { greet, longDay, moment, nameInSubject, namesText, oneLine } from './plain.ts';
import { sampleMails } from './samples.support.ts';
import { passwordGuessed, securityMail } from './security.ts';
import { severalCapsulesMail } from './several-capsules.ts';
import { verifyEmailMail } from './verify-email.ts';

const NASTY = `<img src=x onerror="alert('1')">&\r\nBcc: everyone\u202Egpj`;
const URL_WITH_QUERY = 'https://capsule.example/auth/reset-password?token=abc&x=1';

const everyMail = (written: string) => sampleMails(written, URL_WITH_QUERY);

/** They name nobody: whoever registered may be somebody else, or the account is gone. */
const NAMELESS = [
  'verify-invited',
  'invitation-again',
  'invitation-again-closed',
  'invitation-by-operator',
  'account-deleted',
  'account-deleted-ordered',
];

it('every kind of email has a sample', () => {
  const names = new Set(everyMail('Ada').map(([name]) => name));
  expect(KIND_NAMES.filter((kind) => !names.has(kind))).toEqual([]);
});

const { EMAILS_TO = '' } = process.env;
if (EMAILS_TO) {
  it('every sample can be looked at', () => {
    mkdirSync(EMAILS_TO, { recursive: true });
    for (const [name, { html, text }] of sampleMails('Anna Becker', 'https://capsule.example/')) {
      writeFileSync(join(EMAILS_TO, `${name}.html`), html);
      writeFileSync(join(EMAILS_TO, `${name}.txt`), text);
    }
  });
}

describe.each(everyMail(NASTY))('%s, about people who write nasty things', (kind, mail) => {
  it('keeps the subject one clean line', () => {
    expect(mail.subject).not.toMatch(/[\p{Cc}\u202E]/u);
    expect([...mail.subject].length).toBeLessThanOrEqual(120);
  });

  it('has none of their words in the subject', () => {
    expect(mail.subject).not.toMatch(/img|Bcc/);
  });

  it('lets none of it become HTML', () => {
    expect(mail.html).not.toContain('<img');
    expect(mail.html).not.toContain('\u202E');
    expect(mail.html.includes('&lt;img')).toBe(!NAMELESS.includes(kind));
  });

  it('lets none of it start a line of the text', () => {
    expect(mail.text.includes('<img')).toBe(!NAMELESS.includes(kind));
    expect(mail.text).not.toMatch(/^Bcc/m);
  });

  it('has its link alone on a line, and the same one under the button', () => {
    expect(mail.text.split('\n')).toContain(URL_WITH_QUERY);
    expect(mail.html.split(`href="${URL_WITH_QUERY.replace('&', '&amp;')}"`)).toHaveLength(3);
    expect(mail.link).toBe(URL_WITH_QUERY);
  });

  it('loads nothing from anywhere', () => {
    expect(mail.html).not.toMatch(/<(img|link|script|iframe)\b|url\(/);
  });
});

describe('what the mails say', () => {
  it('names the five minutes and the single use of a reset link', () => {
    const { text } = passwordResetMail({
      name: 'Ada',
      url: URL_WITH_QUERY,
      isAfterUndo: false,
      isAskedFor: true,
    });
    expect(text).toContain('The link works for 5 minutes and can be used once.');
  });

  it('writes the unlock day in full, whatever zone the server is in', () => {
    expect(longDay('2044-02-29')).toBe('Monday, 29 February 2044');
  });

  it('writes every other day the same way', () => {
    const url = URL_WITH_QUERY;
    const changedAt = new Date('2031-05-04T09:30:00Z');
    for (const [zone, words] of [
      [null, '4 May 2031 at 09:30 UTC'],
      ['Europe/Berlin', '4 May 2031 at 11:30 (Berlin time)'],
      ['Pacific/Auckland', '4 May 2031 at 21:30 (Auckland time)'],
      ['Nowhere/Known', '4 May 2031 at 09:30 UTC'],
    ] as const) {
      expect(moment(changedAt, zone)).toBe(words);
    }
    const capsules = [{ title: 'For Mia', from: 'Ada', dateToUnlock: '2031-05-04' }];
    expect(severalCapsulesMail({ state: 'opened', capsules, url }).text).toContain(
      '4 May 2031: For Mia, from Ada',
    );
  });

  it('reminds without saying how long ago it opened, and says why', () => {
    const listed = { title: 'T', from: 'Ada', dateToUnlock: '2044-02-29' };
    const reminders = [[listed], [listed, listed]].map((capsules) =>
      severalCapsulesMail({ state: 'unread', capsules, url: URL_WITH_QUERY }),
    );
    for (const { text, html } of reminders) {
      // One that could not be sent at first comes later.
      expect(`${text} ${html}`).not.toContain('month');
      expect(text).toMatch(/because .+ haven't looked since (it|they) opened\./);
    }
  });

  it('does not tell a creator that others were told, who may not want to be', () => {
    const capsule = {
      url: URL_WITH_QUERY,
      dateToUnlock: '2044-02-29',
      title: 'T',
      creatorName: 'Ada',
    };
    const { text } = capsuleOpenedMail({
      ...capsule,
      readerName: 'Ada',
      reader: 'creator',
      recipientNames: ['Tim'],
    });
    expect(text).toContain('The time capsule you sealed is open.\n');
    expect(text).not.toContain('told');
  });

  it('does not tell a person that they have sent themself a capsule', () => {
    const own = { url: URL_WITH_QUERY, dateToUnlock: '2044-02-29', title: 'T', creatorName: 'Ada' };
    const waiting = capsuleWaitingMail({
      ...own,
      calendarUrl: 'https://a.example',
      ownCapsule: true,
    });
    const opened = capsuleOpenedMail({
      ...own,
      readerName: 'Ada',
      reader: 'self',
      recipientNames: ['Ada'],
    });
    expect(waiting.text).not.toContain('Ada');
    expect(opened.text).toContain('sealed for yourself');
  });
});

describe('oneLine', () => {
  it('leaves ordinary words and emoji alone', () => {
    expect(oneLine('Für Zoë 👩‍👩‍👧 “später”')).toBe('Für Zoë 👩‍👩‍👧 “später”');
  });

  it('cuts by characters, not in the middle of one', () => {
    const cut = oneLine('🎉'.repeat(200));
    expect([...cut]).toHaveLength(120);
    expect(cut.endsWith('🎉…')).toBe(true);
  });
});

describe('namesText', () => {
  it.each([
    [['Ada'], 'Ada'],
    [['Ada', 'Tim'], 'Ada and Tim'],
    [['Ada', 'Tim', 'Eve'], 'Ada, Tim and Eve'],
    [['Ada', 'Tim', 'Eve', 'Bob'], 'Ada, Tim and 2 others'],
  ])('%j', (names, text) => {
    expect(namesText(names)).toBe(text);
  });
});

describe('nameInSubject', () => {
  it.each([
    ['Ada', 'Ada'],
    ['Dr. Ada Lovelace', 'Dr. Ada Lovelace'],
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['Zoë O’Neill-Smith & Tom', 'Zoë O’Neill-Smith & Tom'],
    ['Прабабушка Роза', 'Прабабушка Роза'],
    ['علی\u200cرضا', 'علی رضا'],
    ['Mia 🌸', 'Mia'],
    ['Ada, the 1st', 'Ada, the 1st'],
    ['\u202Emoc.live\u202C Ada', 'Someone'],
    ['Ada\r\nBcc: all', 'Someone'],
    ['Re\uA789 your invoice', 'Someone'],
    ['Fwd： your invoice', 'Someone'],
    ['=?utf-8?Q?Your_bank?=', 'Someone'],
    ['Your bank <bank@evil.example>', 'Someone'],
    ['Win at evil.example', 'Someone'],
    ['Win at evil。example', 'Someone'],
    ['Win at ｅｖｉｌ．example', 'Someone'],
    ['www evil example', 'Someone'],
    ['evil.example/x', 'Someone'],
    ['Call 0800 123 456 now', 'Someone'],
    ['Call ０８００-１２３', 'Someone'],
    ['🌸', 'Someone'],
    ['', 'Someone'],
    ['!!! Ada !!!', 'Ada'],
    [`A\u0301${'\u0301'.repeat(60)}da`, 'Á\u0301\u0301da'],
    ['Maximiliane Friederike von Hohenstein zu Waldburg', 'Maximiliane Friederike von Hohenstein…'],
    ['x'.repeat(100), `${'x'.repeat(40)}…`],
  ])('%j is %j', (name, subject) => {
    expect(nameInSubject(name)).toBe(subject);
  });

  it('stands in front of what they sent, and of nothing that comes from us', () => {
    const subjects = (written: string) => everyMail(written).map(([, mail]) => mail.subject);
    const named = subjects('Ada').filter((subject) => subject.includes('Ada'));
    expect([...new Set(named)]).toEqual([
      'Ada has added to your time capsule',
      'Ada has a time capsule for you',
      'Ada sealed a time capsule for you',
      "Ada, Ada's time capsule for you is open",
    ]);
    expect(subjects('evil.example').join()).not.toContain('evil');
  });
});

describe('greet', () => {
  it.each(['Ada', 'Dr. Ada Lovelace', 'Zoë O’Neill-Smith', 'Ada, the 1st'])('says %s', (name) => {
    expect(greet('Hello', name)).toBe(`Hello ${name}`);
  });

  it.each(['evil.example', 'Win at https://evil.example', 'write to a@b', 'evil.example/x now'])(
    'does not carry %s to a stranger',
    (name) => {
      expect(greet('Hello', name)).toBe('Hello');
      const mails = [
        verifyEmailMail({ name, url: URL_WITH_QUERY }),
        passwordResetMail({ name, url: URL_WITH_QUERY, isAfterUndo: false, isAskedFor: true }),
        securityMail(name, passwordGuessed('4 May 2031'), { url: URL_WITH_QUERY }),
        confirmAddressMail({
          name,
          zone: null,
          asked: 'You asked us to.',
          isMain: false,
          waitsUntil: null,
          url: URL_WITH_QUERY,
        }),
      ];
      expect(JSON.stringify(mails)).not.toContain(name);
    },
  );
});
