import { drizzle } from 'drizzle-orm/postgres-js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GO_ON, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { linkSigner } from '../auth/link-signer.ts';
import * as schema from '../db/schema.ts';
import { queueOpenedNotices, queueWaitingNotices } from '../domain/emails/queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type ResendHarness, startResend } from '../mail/resend.support.ts';
import { sendDueEmails } from './send-emails.ts';

/* Budgets: whoever needs more statements asks first whether one of these can go. */

const { database, world } = sharedMailWorld();
let resend: ResendHarness;
beforeEach(async () => {
  resend = await startResend();
});
afterEach(() => resend.close());

/** How many statements `work` sends, on a database of its own that counts them. */
async function counted(work: (deps: typeof world.deps) => Promise<unknown>): Promise<number> {
  const sent: string[] = [];
  const logger = { logQuery: (query: string) => void sent.push(query) };
  const deps = { ...world.deps, db: drizzle(database.sql, { schema, logger }) };
  // Each process reads the key once.
  await linkSigner(deps);
  sent.splice(0);
  await work(deps);
  return sent.length;
}

/** A pass that ends with a look for more, which finds nothing. */
const pass = (mailer: Mailer) => (deps: typeof world.deps) =>
  sendDueEmails({ ...deps, mailer } as typeof deps, GO_ON);

async function queueFor(count: number) {
  const ada = await world.addPerson('Ada');
  const people = await Promise.all(Array.from({ length: count }, () => world.addPerson('Tim')));
  const capsule = await world.addCapsule(ada, people);
  await queueWaitingNotices(database.db, world.deps, capsule, people);
  return { ...capsule, creator: ada, recipients: people };
}

it('one email', async () => {
  await queueFor(1);
  const count = await counted(pass(world.deps.mailer));
  expect(world.deps.mailer.sent).toHaveLength(1);
  expect(count).toBeLessThanOrEqual(6);
});

it('a batch of a hundred', async () => {
  await queueFor(100);
  const count = await counted(pass(resend.mailer));
  expect(await resend.received()).toHaveLength(100);
  expect(count).toBeLessThanOrEqual(15);
});

it('the announcements of fifty capsules', async () => {
  const opened = await Promise.all(Array.from({ length: 50 }, () => queueFor(3)));
  const count = await counted((deps) => queueOpenedNotices(deps.db, deps, opened));
  expect(count).toBeLessThanOrEqual(15);
});
