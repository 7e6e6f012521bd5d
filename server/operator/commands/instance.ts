import { DAY_MS, MEGABYTE } from '../../../shared/limits.ts';
import { later, systemClock } from '../../clock/clock.ts';
import {
  findDiskUse,
  findPeople,
  findTroubledEmails,
  findUnreached,
} from '../../db/operator/instance.ts';
import { findOperatorActions } from '../../db/operator/operator-actions.ts';
import { type Commands, withDates } from './command.ts';

/** By then an announcement and a reminder have had their effect, or have not arrived. */
const UNREACHED_DAYS = 60;
const NOBODY_UNREACHED = `There is nobody who hasn't looked at what opened for them more than ${UNREACHED_DAYS} days ago.`;
/** What can be asked of an instance. */
export const instanceCommands: Commands = {
  emails: {
    takes: '',
    does: "Lists emails that didn't arrive or couldn't be sent yet, newest first.",
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const rows = await findTroubledEmails(db);
        const none = 'Every email has been sent, and none came back.';
        return { rows: rows.map(withDates), none };
      }),
  },
  unreached: {
    takes: '',
    does: `Lists who hasn't looked at what opened for them more than ${UNREACHED_DAYS} days ago, longest wait first.`,
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const openedBefore = later(systemClock.now(), -UNREACHED_DAYS * DAY_MS);
        const rows = await findUnreached(db, openedBefore);
        return { rows: rows.map(withDates), none: NOBODY_UNREACHED };
      }),
  },
  disk: {
    takes: '',
    does: 'Lists how much room the files of each person take, the most first.',
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const rows = await findDiskUse(db);
        const none = 'Nobody has stored a file.';
        return {
          rows: rows.map(({ bytes, ...who }) => ({ MB: inMB(bytes), bytes, ...who })),
          none,
        };
      }),
  },
  trace: {
    takes: '',
    does: 'Lists what operators did to accounts and files, and why, newest first.',
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const rows = await findOperatorActions(db);
        return { rows: rows.map(withDates), none: 'No operator has changed anything yet.' };
      }),
  },
  people: {
    takes: '<text>',
    does: 'Finds people by a part of their name, main or second address, or by their state: invited (by others), "let in" (by you)',
    run: ({ withDatabase, what }) =>
      withDatabase(async (db) => {
        const rows = await findPeople(db, what);
        return { rows: rows.map(withDates), none: 'Nobody was found.' };
      }),
  },
};

const inMB = (bytes: number) => Math.round((bytes / MEGABYTE) * 10) / 10;
