import { Resolver } from 'node:dns/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { emailField } from '../../shared/api/fields.ts';
import { DAY_MS, UNDO_DAYS } from '../../shared/limits.ts';
import { createSessions } from '../auth/sessions.ts';
import { systemClock } from '../clock/clock.ts';
import { type Config, getConfig } from '../config.ts';
import { deletePendingChanges, deleteUndoneChanges } from '../db/accounts/addresses.ts';
import { type Account, findUserByEmail, lockUser } from '../db/accounts/users.ts';
import type { Database, Queryable } from '../db/open.ts';
import {
  findPeople,
  findTroubledEmails,
  findUnreached,
  hasOpened,
  readFigures,
} from '../db/operator/instance.ts';
import { findOperatorActions, insertOperatorAction } from '../db/operator/operator-actions.ts';
import { announceChange } from '../domain/accounts/addresses.ts';
import { verifyMain } from '../domain/accounts/new-password.ts';
import { createIds } from '../ids.ts';
import { createLog } from '../log.ts';
import { checkDomain } from '../mail/check-domain.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { sampleMails } from '../mail/templates/samples.ts';
import { testMail } from '../mail/templates/test-mail.ts';
import { StartError } from '../start-error.ts';
import { describeStartFailure } from '../start-failure.ts';
import { withOperatorDatabase } from './operator-database.ts';

/** By then an announcement and a reminder have had their effect, or have not arrived. */
const UNREACHED_DAYS = 60;
const ALL_LOOKED = `Everybody has looked at what opened for them more than ${UNREACHED_DAYS} days ago, or has put it away.`;
const NOTHING_OPENED = `No capsule opened for anybody more than ${UNREACHED_DAYS} days ago, so there is nobody to look for.`;
/** As many rows are printed where not all are asked for. */
const PRINTED_MAX = 100;
/** The names of DKIM keys that providers use most; Resend's is the first. */
const SELECTORS = ['resend', 'default', 'mail', 'dkim', 's1', 's2', 'k1', 'selector1', 'selector2'];

/** What to look at when an email can't be handed over. */
const LOOK_AT = {
  smtp: 'Are SMTP_URL and MAIL_FROM right, and does that server answer this machine?',
  resend: 'Are RESEND_API_KEY and MAIL_FROM right, and can this machine reach Resend?',
  folder: 'May this user write to DATA_DIR?',
};

/** Opens the database of a server. */
type Open = typeof withOperatorDatabase;

type Row = Record<string, string | number | null>;

interface Asked {
  /** The command's name. */
  command: string;
  config: Config;
  withDatabase: <Result>(work: (db: Database) => Promise<Result>) => Promise<Result>;
  /** What stands after the command. */
  what: string;
  options: {
    selector?: string[] | undefined;
    'return-path'?: string | undefined;
    dns?: string | undefined;
    reason?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
  };
}

interface Found {
  rows: Row[];
  /** Said when there are no rows. */
  none?: string;
  ok?: boolean;
}

interface Command {
  takes: string;
  does: string;
  run(asked: Asked): Promise<Found>;
}

const COMMANDS: Record<string, Command> = {
  figures: {
    takes: '',
    does: 'Counts people, capsules, files and emails.',
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const { emails, ...figures } = await readFigures(db, systemClock.now());
        const named = Object.entries(emails).map(([state, count]) => [`emails ${state}`, count]);
        const all = [...Object.entries(figures), ...named] as [string, number][];
        return { rows: all.map(([figure, count]) => ({ figure, count })) };
      }),
  },
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
        const openedBefore = new Date(systemClock.now().getTime() - UNREACHED_DAYS * DAY_MS);
        const rows = await findUnreached(db, openedBefore);
        const none = (await hasOpened(db, openedBefore)) ? ALL_LOOKED : NOTHING_OPENED;
        return { rows: rows.map(withDates), none };
      }),
  },
  people: {
    takes: '<text>',
    does: 'Finds people by a part of their name, main or second address.',
    run: ({ withDatabase, what }) =>
      withDatabase(async (db) => {
        const rows = await findPeople(db, what);
        return { rows: rows.map(withDates), none: 'Nobody was found.' };
      }),
  },
  confirm: {
    takes: '<address> --reason <text>',
    does: "Confirms the address of somebody who doesn't get the email.",
    run: (asked) =>
      onPerson(asked, async (tx, person) => {
        const { email } = person;
        if (!(await verifyMain(tx, { clock: systemClock }, person))) {
          throw new StartError(
            `${email} is invited, and somebody else may have registered it. Only an emailed link confirms it.`,
          );
        }
        return { address: email, now: 'confirmed' };
      }),
  },
  'sign-out': {
    takes: '<address> --reason <text>',
    does: 'Signs somebody out on all their devices.',
    run: (asked) =>
      onPerson(asked, async (tx, { id, email }, db) => {
        const sessions = createSessions({ db, clock: systemClock, ids: createIds(systemClock) });
        await sessions.endAll(id, tx);
        return { address: email, now: 'signed out everywhere' };
      }),
  },
  'change-address': {
    takes: '--from <address> --to <address> --reason <text>',
    does: `Starts changing the main address of somebody who can't read theirs any more. For ${UNDO_DAYS} days it can be stopped.`,
    run: (asked) => {
      const to = addressOf(asked.options.to ?? '');
      return onPerson({ ...asked, what: asked.options.from ?? '' }, async (tx, person) => {
        const deps = { config: asked.config, clock: systemClock, ids: createIds(systemClock) };
        const from = await announceChange(tx, deps, person, to);
        const now = 'announced to all addresses so far, which can stop it';
        return { address: person.email, to, now, 'link is sent': from.toISOString() };
      });
    },
  },
  'withdraw-change': {
    takes: '<address> --reason <text>',
    does: "Withdraws a change of address that isn't confirmed, and ends the say of an address whose change was undone.",
    run: (asked) =>
      onPerson(asked, async (tx, { id, email }) => {
        await deletePendingChanges(tx, id, 'main');
        await deleteUndoneChanges(tx, id);
        return { address: email, now: 'withdrawn' };
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
  'email-test': {
    takes: '<address>',
    does: "Sends a test email with the server's settings.",
    async run({ config, what }) {
      const to = addressOf(what);
      const id = createIds(systemClock).uuid();
      const mail = { id, idempotencyKey: id, kind: 'test', queuedAt: systemClock.now(), to };
      const mailer = createMailer({ config, log: createLog('silent') });
      const { provider } = config.mail;
      const sent = mailer.send({ ...mail, ...testMail({ url: config.appUrl }) });
      await sent.finally(mailer.close).catch((cause: Error) => {
        throw new StartError(
          `The test was not sent: ${cause.message}. ${LOOK_AT[provider]} Emails that people wait for stay queued, and are tried again for thirty days.`,
          { cause },
        );
      });
      // By the variables of this shell, which need not be those of the server.
      const now = provider === 'folder' ? 'saved as a file, not sent' : 'accepted by the provider';
      return { rows: [{ to, through: provider, now }] };
    },
  },
  'email-preview': {
    takes: '<folder>',
    does: 'Saves a sample of every email as HTML and text, to look at.',
    async run({ config, what }) {
      if (what === '') throw new StartError('Please name a folder: email-preview <folder>');
      await mkdir(what, { recursive: true });
      const rows: Row[] = [];
      for (const [name, { subject, html, text }] of sampleMails('Anna Becker', config.appUrl)) {
        await writeFile(join(what, `${name}.html`), html);
        await writeFile(join(what, `${name}.txt`), text);
        rows.push({ file: join(what, `${name}.html`), subject });
      }
      return { rows };
    },
  },
  'email-domain': {
    takes: '[domain]',
    does: 'Checks SPF, DKIM and DMARC of a domain, by default that of MAIL_FROM. Options: --selector <name>, --return-path <domain>, --dns <server>.',
    async run({ config, what, options }) {
      const domain = what || domainOf(config.mailFrom);
      const resolver = new Resolver({ timeout: 5_000, tries: 2 });
      if (options.dns) resolver.setServers([options.dns]);
      const checks = await checkDomain(resolver, domain, {
        returnPaths: returnPathsOf(config, domain, options['return-path']),
        selectors: options.selector ?? SELECTORS,
      });
      const rows = checks.map(({ what: record, ok, says }) => ({
        record,
        state: ok ? 'good' : 'missing',
        says,
      }));
      return { rows, ok: checks.every(({ ok }) => ok) };
    },
  },
};

interface Outcome {
  /** False also for a result that is not good. */
  ok: boolean;
  /** The lines say why there is no result. */
  isRefusal?: true;
  lines: string[];
}

/**
 * The operator's command `npm run admin`: what can be asked of an instance, and done for people
 * who need help, beside a running server or without one. It opens no capsule. @returns the lines
 * to print
 */
export async function admin(
  environment: Record<string, string | undefined>,
  args: string[],
  open: Open = withOperatorDatabase,
): Promise<Outcome> {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        json: { type: 'boolean' },
        all: { type: 'boolean' },
        selector: { type: 'string', multiple: true },
        'return-path': { type: 'string' },
        dns: { type: 'string' },
        reason: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
      },
    });
    const [name = '', ...rest] = positionals;
    if (values.help || name === '') return { ok: true, lines: helpLines() };
    const command = COMMANDS[name];
    if (!command) return refusal(`There is no command "${name}".`, ...helpLines());
    const what = rest.join(' ');
    const config = getConfig(environment);
    const withDatabase: Asked['withDatabase'] = (work) => open(config, createLog('silent'), work);
    const asked = { command: name, config, withDatabase, what, options: values };
    const { rows, none = '', ok = true } = await command.run(asked);
    if (values.json) return { ok, lines: [JSON.stringify(rows, null, 2)] };
    if (rows.length === 0) return { ok, lines: [none] };
    return { ok, lines: plain(rows, values.all ? rows.length : PRINTED_MAX) };
  } catch (error) {
    return refusal(describeStartFailure(error, null));
  }
}

/** Where bounces go. Resend takes them at a domain below the sender's, by default this one. */
function returnPathsOf({ mail }: Config, domain: string, said?: string): [string, ...string[]] {
  if (said) return [said];
  return mail.provider === 'resend' ? [`send.${domain}`, domain] : [domain];
}

function refusal(...lines: string[]): Outcome {
  return { ok: false, isRefusal: true, lines };
}

function helpLines(): string[] {
  const lines = Object.entries(COMMANDS).flatMap(([name, { takes, does }]) => [
    `  ${name} ${takes}`.trimEnd(),
    `      ${does}`,
  ]);
  const usage = [
    'npm run admin -- <command> [--all] [--json]',
    '',
    `Long lists end after ${PRINTED_MAX} rows. --all prints all of them, and so does --json, which is for programs.`,
  ];
  return [...usage, '', ...lines];
}

/** Columns of one width. */
function plain(rows: Row[], most: number): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const printed = rows.slice(0, most);
  const table = [columns, ...printed.map((row) => columns.map((name) => String(row[name] ?? '–')))];
  const widths = columns.map((_, index) =>
    table.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), 0),
  );
  const lines = table.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const more = rows.length - printed.length;
  return more > 0 ? [...lines, `… and ${more} more: --all shows them`] : lines;
}

function withDates<T extends object>(row: T): Row {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries);
}

/** Does something to a person's account, and writes down what and why, both or neither. */
function onPerson(
  { command, withDatabase, what, options }: Asked,
  work: (tx: Queryable, person: Account, db: Database) => Promise<Row>,
): Promise<Found> {
  const email = addressOf(what);
  const reason = options.reason?.trim();
  if (!reason) {
    throw new StartError(
      `Please give a reason: ${command} ${email} --reason "what they asked for"`,
    );
  }
  return withDatabase((db) =>
    db.transaction(async (tx) => {
      const found = await findUserByEmail(tx, email);
      const person = found?.passwordHash && (await lockUser(tx, found.id));
      if (!person) {
        throw new StartError(`Nobody has an account with ${email}.`);
      }
      const row = await work(tx, person, db);
      const at = systemClock.now();
      const id = createIds(systemClock).uuid();
      await insertOperatorAction(tx, { id, at, command, userId: person.id, reason });
      return { rows: [row] };
    }),
  );
}

/** @throws StartError */
function addressOf(text: string): string {
  const parsed = emailField().safeParse(text);
  if (parsed.success) return parsed.data;
  throw new StartError(
    text === ''
      ? 'Please give an email address.'
      : `This is not an email address: ${JSON.stringify(text)}`,
  );
}

/** `a@example.org` and `Name <a@example.org>` are of example.org. */
function domainOf(mailFrom: string): string {
  return mailFrom.replace(/^.*@/, '').replace(/>.*$/, '').trim();
}
