import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { getConfig } from '../config.ts';
import { createMailer } from './create-mailer.ts';
import { failureOf, sendOne, testMail } from './mailer.contract.ts';
import { startResend } from './resend.support.ts';

const log = pino({ level: 'silent' });
const mailerFor = (environment: Record<string, string>) =>
  createMailer({ config: getConfig(environment), log });

it('writes into the data directory when no provider is configured', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mailer-'));
  await sendOne(mailerFor({ DATA_DIR: dataDir }));
  expect(await readdir(join(dataDir, 'outbox'))).toHaveLength(1);
  await rm(dataDir, { recursive: true });
});

it('sends through Resend when there is a key', async () => {
  const resend = await startResend();
  await sendOne(mailerFor({ RESEND_API_KEY: 're_key', RESEND_BASE_URL: resend.url }));
  expect(resend.requests[0]?.headers.authorization).toBe('Bearer re_key');
  await resend.close();
});

it('sends through SMTP when there is a server', async () => {
  // Port 1 is never listened on: the refusal shows where it went.
  const failure = await failureOf(sendOne(mailerFor({ SMTP_URL: 'smtp://127.0.0.1:1' })));
  expect(failure.message).toContain('127.0.0.1:1');
});

it('still removes the emails written before there was a provider', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mailer-'));
  const mail = testMail();
  await sendOne(mailerFor({ DATA_DIR: dataDir }), mail);
  const provider = mailerFor({ DATA_DIR: dataDir, SMTP_URL: 'smtp://127.0.0.1:1' });
  await provider.removeTo?.('someone-else@example.com');
  expect(await readdir(join(dataDir, 'outbox'))).toHaveLength(1);
  await provider.removeTo?.(mail.to);
  expect(await readdir(join(dataDir, 'outbox'))).toEqual([]);
  await rm(dataDir, { recursive: true });
});
