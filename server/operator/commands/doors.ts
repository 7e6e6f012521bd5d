import { createSessions } from '../../auth/sessions.ts';
import { type FoundAccount, updateUser } from '../../db/accounts/users.ts';
import { findMaintenance, setMaintenance } from '../../db/doors/maintenance.ts';
import type { Queryable } from '../../db/open.ts';
import { announceDeletion, DELETION_WAITS_DAYS } from '../../domain/accounts/ordered-deletion.ts';
import { StartError } from '../../start-error.ts';
import {
  type Asked,
  type Commands,
  type Found,
  leaveTrace,
  onPerson,
  operatorDeps,
  UsageError,
} from './command.ts';

/** Who may come in. */
export const doorCommands: Commands = {
  suspend: {
    takes: '<person> --reason <text>',
    does: "Keeps somebody out until you resume them. What they have sealed isn't announced meanwhile.",
    run: (asked) =>
      onPerson(
        asked,
        async (tx, { id, email, suspendedAt }, deps) => {
          if (suspendedAt) throw new StartError(`${email} is suspended already.`);
          await updateUser(tx, id, { suspendedAt: deps.clock.now() });
          await createSessions(deps).endAll(id, tx);
          return { address: email, now: 'suspended, and signed out everywhere' };
        },
        () =>
          'They would be signed out everywhere and unable to sign in. What they have sealed would still open on its day, but nobody would be told until you resume them.',
      ),
  },
  resume: {
    takes: '<person> --reason <text>',
    does: 'Lets somebody in again whom you have suspended.',
    run: (asked) =>
      onPerson(
        asked,
        async (tx, { id, email, suspendedAt }) => {
          if (!suspendedAt) throw new StartError(`${email} is not suspended.`);
          await updateUser(tx, id, { suspendedAt: null });
          return { address: email, now: 'not suspended any more' };
        },
        () => 'They could sign in again. What of theirs has opened meanwhile would be announced.',
      ),
  },
  limit: {
    takes: '<person> [--storage-mb <number>] [--capsules-a-day <number>] --reason <text>',
    does: "Gives somebody limits of their own. The word default brings back the site's.",
    run: limit,
  },
  'delete-account': {
    takes: '<person> --deliver|--destroy --reason <text>',
    does: `Deletes an account in ${DELETION_WAITS_DAYS} days, and tells all its addresses now. Capsules for others are delivered or destroyed, as you say.`,
    run: deleteAccount,
  },
  'keep-account': {
    takes: '<person> --reason <text>',
    does: "Stops a deletion that you've ordered.",
    run: (asked) =>
      onPerson(
        asked,
        async (tx, { id, email, deletionDueAt }) => {
          if (!deletionDueAt) throw new StartError(`No deletion of ${email} was ordered.`);
          await updateUser(tx, id, { deletionDueAt: null, deletionCapsules: null });
          return { address: email, now: 'not deleted' };
        },
        () => 'They would keep their account. Tell them so, because they were told otherwise.',
      ),
  },
  maintenance: {
    takes: 'on|off [--reason <text>]',
    does: 'While it is on, nothing can be sealed. Reading goes on, and apps try again by themselves.',
    run: maintenance,
  },
};

function deleteAccount(asked: Asked): Promise<Found> {
  const { deliver, destroy } = asked.options;
  if (Boolean(deliver) === Boolean(destroy)) {
    throw new UsageError(
      'Please say what becomes of capsules that they have sealed for others: --deliver, or --destroy.',
    );
  }
  const capsules = deliver ? 'deliver' : 'destroy';
  const work: Parameters<typeof onPerson>[1] = async (tx, person, deps) => {
    const dueAt = await announceDeletion(tx, deps, person, capsules);
    if (!dueAt) throw new StartError(`The deletion of ${person.email} is ordered already.`);
    return { address: person.email, 'deleted at': iso(dueAt), 'capsules for others': capsules };
  };
  return onPerson(
    { ...asked, command: `${asked.command} --${capsules}` },
    work,
    () =>
      `Their account would be deleted in ${DELETION_WAITS_DAYS} days, with everything in it. What they have sealed for others would be ${deliver ? 'delivered' : 'destroyed'}. All their addresses would be told now. Until then, keep-account stops it.`,
  );
}

const LIMITS = [
  { option: 'storage-mb', column: 'storageLimitMB', says: 'storage in MB' },
  { option: 'capsules-a-day', column: 'capsulesADay', says: 'capsules in 24 hours' },
] as const;

const DEFAULT = 'default';

function limit(asked: Asked): Promise<Found> {
  const said = LIMITS.flatMap((one) => {
    const typed = asked.options[one.option];
    return typed === undefined ? [] : [{ ...one, typed, value: limitOf(one.option, typed) }];
  });
  if (said.length === 0) {
    throw new UsageError('Please give a limit.');
  }
  const change: Partial<Pick<FoundAccount, 'storageLimitMB' | 'capsulesADay'>> = Object.fromEntries(
    said.map(({ column, value }) => [column, value]),
  );
  const work = async (tx: Queryable, { id, email }: FoundAccount) => {
    const after = await updateUser(tx, id, change);
    return {
      address: email,
      'storage, MB': after?.storageLimitMB ?? DEFAULT,
      'capsules a day': after?.capsulesADay ?? DEFAULT,
    };
  };
  // The trace says which limit it was.
  const command = [asked.command, ...said.map(({ option, typed }) => `--${option} ${typed}`)];
  const limits = said.map(({ says, value }) => `${says}: ${value ?? DEFAULT}`).join(', ');
  const question = () => `${limits}. What they have stays, also beyond it.`;
  return onPerson({ ...asked, command: command.join(' ') }, work, question);
}

/** @returns null for the site's limit @throws UsageError */
function limitOf(option: string, typed: string): number | null {
  if (typed === DEFAULT) return null;
  if (/^\d{1,9}$/.test(typed)) return Number(typed);
  throw new UsageError(`--${option} must be a whole number, or the word default.`);
}

async function maintenance({ command, withDatabase, what, options }: Asked): Promise<Found> {
  if (what !== 'on' && what !== 'off') throw new UsageError('Please say on or off.');
  const now = operatorDeps.clock.now();
  return withDatabase((db) =>
    db.transaction(async (tx) => {
      const since = await findMaintenance(tx);
      if (what === 'off' || !since) await setMaintenance(tx, what === 'on' ? now : null);
      const reason = options.reason?.trim() || '–';
      await leaveTrace(tx, { command: `${command} ${what}`, userId: null, reason });
      return { rows: [{ maintenance: what, since: what === 'on' ? iso(since ?? now) : null }] };
    }),
  );
}

const iso = (instant: Date) => instant.toISOString();
