import { randomUUID } from 'node:crypto';
import { and, gt, isNull, lte, or } from 'drizzle-orm';
import { sendings } from '../../server/db/schema.ts';
import {
  type Addresses,
  changeEmail,
  confirmEmail,
  getAddresses,
  setSecondEmail,
} from '../../shared/api/addresses.ts';
import { answerOf, createClient, PASSWORD, type SignedIn, type TestClient } from './client.ts';
import { secretIn } from './links.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/** Somebody without a session. */
export async function visit(url: string): Promise<TestClient> {
  const client = createClient(url);
  await client.get('/api/limits');
  return client;
}

/** An address of nobody. */
export const newAddress = () => `a.${randomUUID()}@example.com`;

/** The status of an answer that went well, else its code. */
export const codeOf = ({ status, json }: { status: number; json: unknown }) =>
  status < 300 ? status : (json as { code: string }).code;

export const addressesFor = async (person: TestClient): Promise<Addresses> =>
  answerOf(getAddresses, await person.get('/user/addresses'));

export const askForMain = async (person: TestClient, email: string, password = PASSWORD) =>
  answerOf(changeEmail, await person.post('/user/email', { email, password }));

export const askForSecond = async (person: TestClient, email: string | null, password = PASSWORD) =>
  answerOf(setSecondEmail, await person.put('/user/second-email', { email, password }));

/**
 * Waits until every email that is due has been sent. Not for one that failed and is tried again in a
 * minute: a link to a change that was withdrawn in the moment of sending can't be made.
 */
export async function allSent({ deps: { db, clock } }: TestServer): Promise<void> {
  const isOnItsWay = and(gt(sendings.attempts, 0), isNull(sendings.reason));
  const isDue = or(lte(sendings.nextAttemptAt, clock.now()), isOnItsWay);
  const isWaiting = and(isNull(sendings.outcome), isDue);
  await until(async () => (await db.$count(sendings, isWaiting)) === 0 || null);
}

/** Forgets what was emailed so far. What is still on its way would otherwise count as sent later. */
export async function forgetEmails(server: TestServer): Promise<void> {
  server.deps.mailQueued();
  await allSent(server);
  server.mailer.clear();
}

/** The token of the newest link to this page that was emailed to this address. */
export async function tokenTo(server: TestServer, email: string, path: string): Promise<string> {
  await allSent(server);
  const link = await server.mailedLink(email, path);
  return secretIn(link);
}

/** @param by who presses the link; without it, somebody who is not signed in */
export async function confirm(server: TestServer, email: string, by?: TestClient) {
  const token = await tokenTo(server, email, '/auth/confirm-email');
  const client = by ?? (await visit(server.url));
  return answerOf(confirmEmail, await client.post('/auth/confirm-email', { token }));
}

/** Gives them another main address, and confirms it. */
export async function moveTo(server: TestServer, person: SignedIn, email: string): Promise<void> {
  await askForMain(person, email, person.password);
  await confirm(server, email, person);
}

/** Confirms the main address by a link, where nobody had to. */
export async function confirmMain(server: TestServer, person: SignedIn): Promise<void> {
  await moveTo(server, person, person.user.email);
}

/** Gives them a second address, and confirms both. */
export async function addSecond(
  server: TestServer,
  person: SignedIn,
  email = newAddress(),
): Promise<string> {
  if (!(await addressesFor(person)).isConfirmed) await confirmMain(server, person);
  await askForSecond(person, email, person.password);
  await confirm(server, email);
  return email;
}

/** Uses the link in the email that told this address about a change. */
export async function undo(server: TestServer, email: string) {
  const token = await tokenTo(server, email, '/auth/undo-email');
  return (await visit(server.url)).post('/auth/undo-email', { token });
}

/**
 * Sets a password by a link to this address. What is told about it has been sent then.
 * @param by who does it; without it, somebody on a new device
 */
export async function resetBy(
  server: TestServer,
  email: string,
  password: string,
  by?: TestClient,
) {
  const client = by ?? (await visit(server.url));
  await client.post('/auth/forgot-password', { email });
  const token = await tokenTo(server, email, '/auth/reset-password');
  const answer = await client.post(`/auth/reset-password?token=${token}`, { password });
  await allSent(server);
  return { answer, token, ...(answer.json as { countsFrom?: string }) };
}

/** Answers for this address whether the new password is its owner's. */
export async function answerFor(server: TestServer, email: string, isMine: boolean) {
  const token = await tokenTo(server, email, '/auth/new-password');
  return (await visit(server.url)).post('/auth/new-password', { token, isMine });
}

export const signInAs = async (server: TestServer, email: string, password = PASSWORD) =>
  (await visit(server.url)).post('/auth/login', { email, password });
