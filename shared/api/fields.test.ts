import { describe, expect, it } from 'vitest';
import type { z } from 'zod/mini';
import { changeEmail } from './addresses.ts';
import { forgotPasswordSchema, loginSchema, registerSchema, resetPasswordSchema } from './auth.ts';
import { searchProfile } from './community.ts';
import { isEmail, nameField, normalizeEmail, peopleSearchField } from './fields.ts';
import { invite } from './invitations.ts';
import { newCapsuleSchema } from './new-capsule.ts';
import { profileUpdateSchema, searchRecipient } from './user.ts';

/** First sentence of each refused field. */
function refusals(schema: z.ZodMiniType, value: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    found[String(path[0])] ??= message;
  }
  return found;
}

describe('addresses', () => {
  it.each(['a@b.c', 'first.last+tag@sub.example.org', 'ünï@exämple.de', "o'neil@example.org"])(
    'takes %s',
    (email) => {
      expect(isEmail(email)).toBe(true);
    },
  );

  it.each([
    'a',
    'a@b',
    '@b.c',
    'a@.c',
    'a@b.',
    'a@b..c',
    'a b@c.d',
    'a@b.c\r\nBcc: x@y.z',
    '"a b"@c.d',
    'a(comment)@b.c',
    'a@b.c,d@e.f',
    'a@b@c.d',
    'a;b@c.d',
    '<a@b.c>',
    '=?utf-8?q?x?=@x.test',
    'ada=?utf-8?B?eA==?=@x.test',
    '=?x?q?=41=40b.test=3e=00?=@x.test',
    'a@=?utf-8?q?x?=.test',
    `${'a'.repeat(250)}@b.cd`,
  ])('refuses %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });
});

describe('look-alikes', () => {
  const account = { name: 'Ada', email: 'ada@example.org', password: 'correct horse' };
  const typed = 'contains an invisible character. Please type it instead of pasting it.';

  it('addresses and names are one, however their accents were typed', () => {
    const person = { ...account, name: 'Zoë', email: 'ZOË@example.org' };
    const composed = registerSchema.parse(person);
    expect(composed).toMatchObject({ name: 'Zo\u00EB', email: 'zo\u00EB@example.org' });
    const decomposed = { name: person.name.normalize('NFD'), email: person.email.normalize('NFD') };
    expect(registerSchema.parse({ ...person, ...decomposed })).toEqual(composed);
    expect(loginSchema.parse({ ...person, ...decomposed }).email).toBe(composed.email);
    expect(profileUpdateSchema.parse(decomposed).name).toBe(composed.name);
    for (const { query } of [searchRecipient, searchProfile]) {
      expect(query?.parse({ query: decomposed.name })).toEqual({ query: 'Zo\u00EB' });
    }
  });

  it.each([
    'ann@bücher.example',
    'ann@BÜCHER.example',
    'ann@bücher.example'.normalize('NFD'),
    'ann@xn--bcher-kva.example',
    'Ann@XN--BCHER-KVA.Example',
    'ann@ｂücher.ｅｘａｍｐｌｅ',
    'ann@bücher。example',
    ' ann@bücher.example. ',
  ])('%j is one address', (email) => {
    const canonical = 'ann@xn--bcher-kva.example';
    expect(registerSchema.parse({ ...account, email }).email).toBe(canonical);
    expect(loginSchema.parse({ ...account, email }).email).toBe(canonical);
    expect(forgotPasswordSchema.parse({ email }).email).toBe(canonical);
    expect(invite.body?.parse({ email })).toEqual({ email: canonical });
    expect(changeEmail.body?.parse({ email, password: 'x' })).toMatchObject({ email: canonical });
  });

  it('an address with a dot at its end is the one without', () => {
    expect(normalizeEmail('ann@Example.org.')).toBe('ann@example.org');
  });

  it.each([
    'ann@bücher.example:80',
    'ann@bücher.example/x',
    'ann@b%C3%BCcher.example%2E',
    'ann@bü\tcher.example',
    'ann@bücher，example.org',
    `ann@${'ü'.repeat(200_000)}.example`,
  ])('no part of what is no address is cut off to make it one', (email) => {
    expect(normalizeEmail(email)).not.toMatch(/@(xn--bcher-kva\.)?example(\.org)?$/);
  });

  it('a new address has no invisible character', () => {
    for (const email of [
      'ada\u200B@example.org',
      '\u202Eada@example.org',
      'ada@exam\u00ADple.org',
    ]) {
      expect(refusals(registerSchema, { ...account, email })).toEqual({
        email: `This address ${typed}`,
      });
    }
  });

  it('an address of an account may, because older accounts may have one', () => {
    const email = 'ada\u200B@example.org';
    expect(loginSchema.parse({ email, password: 'x' }).email).toBe(email);
  });

  it('a name has none that only hides, and something to see', () => {
    const refusalsOf = (name: string) => [
      refusals(registerSchema, { ...account, name }).name,
      refusals(profileUpdateSchema, { name }).name,
    ];
    expect(refusalsOf('A\u200Bda')).toEqual([`Name ${typed}`, `Display name ${typed}`]);
    expect(refusalsOf('\u2800\u2800')).toEqual([
      'Name must have at least one visible character',
      'Display name must have at least one visible character',
    ]);
    expect(refusalsOf('👩\u200D👧 ❤\uFE0F')).toEqual([undefined, undefined]);
  });
});

describe('the forms of specification §5', () => {
  it('register [9.limits.1]', () => {
    expect(refusals(registerSchema, {})).toEqual({
      name: 'Name is required',
      email: 'Email is required',
      password: 'Password is required',
    });
    expect(refusals(registerSchema, { name: ' ', email: 'x', password: '1234' })).toEqual({
      name: 'Name is required',
      email: 'Please enter a valid email',
      password: 'Password must be at least 5 characters',
    });
    expect(
      registerSchema.parse({ name: ' Ada ', email: ' ADA@X.com ', password: ' 123 ' }),
    ).toEqual({
      name: 'Ada',
      email: 'ada@x.com',
      password: ' 123 ',
    });
  });

  it.each([[['a@b.c']], [{}], [5], [null]])(
    'an address that is %j is refused, not read',
    (email) => {
      expect(refusals(loginSchema, { email, password: 'x' })).toEqual({
        email: 'Email is required',
      });
    },
  );

  it('reset', () => {
    expect(refusals(resetPasswordSchema, { password: '' })).toEqual({
      password: 'Password is required',
    });
    expect(refusals(resetPasswordSchema, { password: '1234' })).toEqual({
      password: 'Password must be at least 5 characters long',
    });
  });

  it('profile [5.profile.3 5.profile.4]', () => {
    expect(refusals(profileUpdateSchema, { name: '' })).toEqual({
      name: 'Display name is required',
    });
    expect(refusals(profileUpdateSchema, { name: ' a ' })).toEqual({
      name: 'Display name must be at least 2 characters',
    });
    expect(refusals(profileUpdateSchema, { name: 'a'.repeat(51), bio: 'b'.repeat(501) })).toEqual({
      name: 'Display name must be less than 50 characters',
      bio: 'Bio must be less than 500 characters',
    });
    expect(refusals(profileUpdateSchema, { name: 'a'.repeat(50), bio: 'b'.repeat(500) })).toEqual(
      {},
    );
  });
});

describe('a new capsule', () => {
  const capsule = {
    title: 'To you',
    description: 'Later',
    dateToUnlock: '2030-01-01',
    recipientEmails: ['a@b.c'],
  };

  it('fills in what may be left out and drops what is not asked for', () => {
    expect(newCapsuleSchema.parse({ ...capsule, id: 'x', unlocked: true, createdAt: 'y' })).toEqual(
      {
        ...capsule,
        timeZone: 'UTC',
        personalMessage: '',
        uploads: [],
        notifyRecipient: false,
      },
    );
  });

  it.each(['\t', '\v', '\f', '\u0085', '\u2028', '\u2029'])('takes %j for a space', (tab) => {
    const line = `${tab}Summer${tab}2036${tab}`;
    expect(newCapsuleSchema.parse({ ...capsule, title: line }).title).toBe('Summer 2036');
    expect(nameField.parse(line)).toBe('Summer 2036');
    expect(profileUpdateSchema.parse({ name: line }).name).toBe('Summer 2036');
    expect(peopleSearchField.parse(line)).toBe('Summer 2036');
  });

  it('trims, lowers and de-duplicates addresses [3.entities.12]', () => {
    const { recipientEmails } = newCapsuleSchema.parse({
      ...capsule,
      recipientEmails: [' A@b.c', 'a@B.c ', 'd@e.f'],
    });
    expect(recipientEmails).toEqual(['a@b.c', 'd@e.f']);
  });

  it.each([
    [{ title: ' ' }, { title: 'Title is required' }],
    [{ title: '\u200b' }, { title: 'Title is required' }],
    [{ title: '\t\u2800\u2029' }, { title: 'Title is required' }],
    [{ description: '\u200b\n' }, { description: 'Description is required' }],
    [{ title: 'two\nlines' }, { title: 'Title must be a single line' }],
    [{ title: 'x'.repeat(201) }, { title: 'Title must be at most 200 characters' }],
    [{ description: 7 }, { description: 'Description is required' }],
    [
      { dateToUnlock: '2026-02-30' },
      { dateToUnlock: 'This day does not exist. Please write it as YYYY-MM-DD' },
    ],
    [{ dateToUnlock: ['2030-01-01'] }, { dateToUnlock: 'Please choose an unlock date' }],
    [{ timeZone: '+02:00' }, { timeZone: 'Unknown time zone' }],
    [{ recipientEmails: [] }, { recipientEmails: 'Please choose at least one recipient' }],
    [{ recipientEmails: 'a@b.c' }, { recipientEmails: 'Please choose at least one recipient' }],
    [{ recipientEmails: ['nobody'] }, { recipientEmails: 'Please enter a valid email' }],
    [
      { personalMessage: 'x'.repeat(50_001) },
      { personalMessage: 'Message must be at most 50000 characters' },
    ],
    [{ notifyRecipient: 'yes' }, { notifyRecipient: 'Notify must be yes or no' }],
  ])('refuses %j', (change, errors) => {
    expect(refusals(newCapsuleSchema, { ...capsule, ...change })).toEqual(errors);
  });

  it('keeps everything a person can type, and only loses the character no database keeps', () => {
    const personalMessage = 'Ünïcode 🕰️ \u202e rtl \ud83d\ude00\n\ttabs';
    expect(
      newCapsuleSchema.parse({ ...capsule, personalMessage: `${personalMessage}\0` })
        .personalMessage,
    ).toBe(personalMessage);
  });
});
