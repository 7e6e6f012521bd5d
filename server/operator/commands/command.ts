import type { parseArgs } from 'node:util';
import { emailField } from '../../../shared/api/fields.ts';
import { systemClock } from '../../clock/clock.ts';
import { createClockGuard } from '../../clock/clock-guard.ts';
import type { Config } from '../../config.ts';
import {
  type FoundAccount,
  findAccount,
  findUserByEmail,
  lockUser,
} from '../../db/accounts/users.ts';
import type { Database, Queryable } from '../../db/open.ts';
import { insertOperatorAction } from '../../db/operator/operator-actions.ts';
import { findLastSeen } from '../../db/server-state.ts';
import { createIds, isUuid } from '../../ids.ts';
import { createLog } from '../../log.ts';
import { StartError } from '../../start-error.ts';

/** What was typed can't be done, whatever the database holds. The line of usage follows. */
export class UsageError extends StartError {}

export type Row = Record<string, string | number | null>;

/** What can be said with two hyphens. */
export const OPTIONS = {
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  selector: { type: 'string', multiple: true },
  'return-path': { type: 'string' },
  dns: { type: 'string' },
  reason: { type: 'string' },
  deliver: { type: 'boolean' },
  destroy: { type: 'boolean' },
  'storage-mb': { type: 'string' },
  'capsules-a-day': { type: 'string' },
  note: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

export interface Asked {
  /** The command's name. */
  command: string;
  config: Config;
  /** Asks the operator, who may have mistyped. @throws StartError unless they agree */
  agree: (question: string) => Promise<void>;
  withDatabase: <Result>(work: (db: Database) => Promise<Result>) => Promise<Result>;
  /** What stands after the command. */
  what: string;
  options: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
}

export interface Found {
  rows: Row[];
  /** Those that are printed for people, where a table would be too wide. */
  blocks?: string[];
  /** Said when there are no rows. */
  none?: string;
  ok?: boolean;
}

export interface Command {
  takes: string;
  does: string;
  run(asked: Asked): Promise<Found>;
}

export type Commands = Record<string, Command>;

/** Dates as a program reads them. */
export function withDates<T extends object>(row: T): Row {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries);
}

/**
 * Does something to a person's account, and writes down what and why, both or neither. @param
 * whatHappens what the operator has to agree to before
 */
export function onPerson(
  asked: Asked,
  work: (tx: Queryable, person: FoundAccount, deps: DepsOfServer) => Promise<Row>,
  whatHappens?: (person: FoundAccount) => string,
): Promise<Found> {
  const { command, withDatabase, what } = asked;
  const person = personOf(what);
  const reason = asked.options.reason?.trim();
  if (!reason) {
    throw new UsageError('Please give a reason: --reason "what they asked for"');
  }
  return withDatabase(async (db) => {
    const id = await findPersonId(db, person);
    const found = id && (await findAccount(db, id));
    if (!found) throw new StartError(`Nobody has an account with ${what.trim()}. ${HOW_TO_FIND}`);
    // Nothing is locked while the operator reads the question.
    if (whatHappens) await asked.agree(`${found.name} <${found.email}>: ${whatHappens(found)}`);
    const deps = await depsOfServer(db);
    return db.transaction(async (tx) => {
      const locked = await lockUser(tx, found.id);
      if (!locked) throw new StartError(`Nobody has an account with ${what.trim()} any more.`);
      const row = await work(tx, locked, deps);
      await leaveTrace(tx, { command, userId: locked.id, reason });
      return { rows: [row] };
    });
  });
}

/** What a command needs beside the database. */
export const operatorDeps = { clock: systemClock, ids: createIds(systemClock) };

type DepsOfServer = Awaited<ReturnType<typeof depsOfServer>>;
const log = createLog('silent');

/**
 * The same for what somebody is given time for, by the clock of the server: where this machine's is
 * behind it, the time might be over already.
 */
async function depsOfServer(db: Database) {
  const lastSeen = await findLastSeen(db);
  const monotonic = () => performance.now();
  const clock = createClockGuard({ system: systemClock, monotonic, log, lastSeen });
  return { db, clock, ids: createIds(clock) };
}

/** Writes down what an operator does, in the transaction that does it. */
export async function leaveTrace(
  tx: Queryable,
  { command, userId, reason }: { command: string; userId: string | null; reason: string },
): Promise<void> {
  const { clock, ids } = operatorDeps;
  await insertOperatorAction(tx, { id: ids.uuid(), at: clock.now(), command, userId, reason });
}

const HOW_TO_FIND = 'A part of a name or an address finds people: npm run admin -- people <text>';

/** A person by their id, as `people` lists it, or by their main address. @throws StartError */
function personOf(text: string): { id: string } | { email: string } {
  const id = text.trim();
  if (isUuid(id)) return { id };
  if (emailField().safeParse(text).success || id === '') return { email: addressOf(text) };
  throw new UsageError(`This is no address and no id: ${JSON.stringify(id)}. ${HOW_TO_FIND}`);
}

async function findPersonId(db: Queryable, person: { id: string } | { email: string }) {
  return 'id' in person ? person.id : (await findUserByEmail(db, person.email))?.id;
}

/** @throws StartError */
export function addressOf(text: string): string {
  const parsed = emailField().safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    text === ''
      ? 'Please give an email address.'
      : `This is not an email address: ${JSON.stringify(text)}`,
  );
}
