import { describe, expect, it } from 'vitest';
import { sampleCapsule } from '../../tests/support/sample-capsule.ts';
import { localeFor, longDay, longMoment, openingText, updatedText, waitText } from './format.ts';

const capsule = sampleCapsule(1, { dateToUnlock: '2036-01-02', timeZone: 'UTC' });

const HERE = 'Asia/Tokyo';

describe('words', () => {
  it.each([
    [['en-US', 'de'], 'en-US'],
    [['en-AU'], 'en-AU'],
    [['de-DE', 'en-US'], 'en-GB'],
    [['enm'], 'en-GB'],
    [[], 'en-GB'],
  ])('writes dates for a reader of %j in %s', (languages, locale) => {
    expect(localeFor(languages)).toBe(locale);
  });

  it.each([
    ['', 'Opens at the start of the day in Berlin.'],
    ['2026-11-22', 'Opens at the start of the day in Berlin.'],
    ['2026-11-23', 'Opens tomorrow, Monday, at the start of the day in Berlin.'],
    ['2026-11-25', 'Opens on Wednesday, in 3 days, at the start of the day in Berlin.'],
    ['2026-12-06', 'Opens on a Sunday, in 14 days, at the start of the day in Berlin.'],
    ['2027-05-22', 'Opens on a Saturday, in 6 months, at the start of the day in Berlin.'],
    ['2027-05-23', 'Opens on a Sunday, in about 6 months, at the start of the day in Berlin.'],
    ['2027-12-23', 'Opens on a Thursday, in about 13 months, at the start of the day in Berlin.'],
    ['2027-11-22', 'Opens on a Monday, in a year, at the start of the day in Berlin.'],
    ['2027-11-19', 'Opens on a Friday, in about a year, at the start of the day in Berlin.'],
    ['2030-01-01', 'Opens on a Tuesday, in about 3 years, at the start of the day in Berlin.'],
    ['2044-11-22', 'Opens on a Tuesday, in 18 years, at the start of the day in Berlin.'],
  ])('says when %j begins', (dateToUnlock, text) => {
    const opening = { dateToUnlock, timeZone: 'Europe/Berlin' };
    expect(openingText(opening, '2026-11-22', HERE)).toBe(text);
  });

  it.each([
    ['UTC', 'in UTC.'],
    ['-03:00', 'in UTC−3.'],
    ['+05:30', 'in UTC+5:30.'],
  ])('names %s in words', (timeZone, place) => {
    const text = openingText({ dateToUnlock: '2026-11-23', timeZone }, '2026-11-22', HERE);
    expect(text).toBe(`Opens tomorrow, Monday, at the start of the day ${place}`);
  });

  it('names no place to who is there', () => {
    const opening = { dateToUnlock: '2026-11-23', timeZone: HERE };
    const text = 'Opens tomorrow, Monday, at the start of the day.';
    expect(openingText(opening, '2026-11-22', HERE)).toBe(text);
    const late = { ...opening, unlockAt: '2026-11-22T16:00:00.000Z' };
    expect(openingText(late, '2026-11-22', HERE)).toBe('Opens tomorrow, Monday, at 01:00.');
  });

  it('says the time of a day that does not begin at midnight', () => {
    const opening = { dateToUnlock: '2027-09-05', timeZone: 'America/Santiago' };
    const text = 'Opens on a Sunday, in about 9 months, at 01:00 Santiago time.';
    expect(openingText(opening, '2026-11-22', HERE)).toBe(text);
    const fixed = { ...opening, unlockAt: '2027-09-05T05:00:00.000Z' };
    expect(openingText(fixed, '2026-11-22', HERE)).toContain('at 02:00 Santiago time.');
  });

  it('writes a day as it stands on the calendar, wherever the reader is', () => {
    expect(longDay('2036-01-01')).toBe('1 January 2036');
  });

  it('says the day and the time of an instant where the reader is', () => {
    const at = new Date(2026, 10, 27, 8, 1);
    expect(longMoment(at.toISOString())).toBe('27 November 2026 at 08:01');
  });

  it('says when something was fetched, with the day unless it is today', () => {
    const at = new Date(2026, 5, 1, 14, 5);
    expect(updatedText(at.getTime(), new Date(2026, 5, 1, 20, 0))).toBe('Updated 14:05');
    expect(updatedText(at.getTime(), new Date(2026, 5, 2, 8, 0))).toBe('Updated 1 Jun, 14:05');
    expect(updatedText(at.getTime(), new Date(2027, 5, 1, 8, 0))).toBe(
      'Updated 1 June 2026, 14:05',
    );
  });

  it('leaves it to the server whether a capsule is open', () => {
    const before = new Date('2036-01-01T12:00:00Z');
    const after = new Date('2036-01-02T12:00:00Z');
    expect(waitText(capsule, before)).toBe('1 day remaining');
    expect(waitText(capsule, after)).toBe('Opening today');
    expect(waitText({ ...capsule, locked: false }, before)).toBe('Unlocked');
  });
});
