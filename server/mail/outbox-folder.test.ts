import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../shared/limits.ts';
import {
  describeMailer,
  type MailerHarness,
  sendOne,
  testMail,
  turnOffUrlIn,
} from './mailer.contract.ts';
import { createOutboxFolder } from './outbox-folder.ts';

const SENDER = { from: 'Time Capsule <capsules@localhost>', host: 'localhost' };

async function startFolder(): Promise<MailerHarness & { folder: string; lines: string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outbox-'));
  const folder = join(dataDir, 'outbox');
  const lines: string[] = [];
  const log = pino(
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  return {
    mailer: createOutboxFolder({ folder, sender: SENDER, log }),
    sender: 'capsules@localhost',
    folder,
    lines,
    async received() {
      const isFolder = (await stat(folder).catch(() => null))?.isDirectory();
      const names = isFolder ? await readdir(folder) : [];
      return Promise.all(
        names.sort().map(async (name) => {
          const email = await PostalMime.parse(await readFile(join(folder, name)));
          return {
            key: name,
            to: String(email.to?.[0]?.address),
            from: String(email.from?.address),
            subject: String(email.subject),
            text: String(email.text),
            html: String(email.html),
            turnOffUrl: turnOffUrlIn(
              (named) => email.headers.find(({ key }) => key === named)?.value,
            ),
          };
        }),
      );
    },
    async failForNow() {
      await writeFile(folder, 'a file is in the way');
    },
    close: () => rm(dataDir, { recursive: true, force: true }),
  };
}

describeMailer('outbox folder', startFolder, { canRefuse: false });

it('names each file by time, kind, a hash of the address and id, and logs the link without that hash', async () => {
  const folder = await startFolder();
  const mail = testMail({ kind: 'password-reset' });
  await sendOne(folder.mailer, mail);
  expect(await readdir(folder.folder)).toEqual([
    expect.stringMatching(`^2026-11-20T19-58-30-password-reset-to-[0-9a-f]{16}-${mail.id}\\.eml$`),
  ]);
  expect(JSON.parse(String(folder.lines[0]))).toMatchObject({ id: mail.id, link: mail.link });
  expect(folder.lines.join()).not.toContain('-to-');
  await folder.close();
});

it('replaces the file when a mail with a new token is written again', async () => {
  const folder = await startFolder();
  await sendOne(folder.mailer, testMail({ text: 'old token' }), { key: 'a-1' });
  await sendOne(folder.mailer, testMail({ text: 'new token' }), { key: 'a-2' });
  const received = await folder.received();
  expect(received.map(({ text }) => text.trim())).toEqual(['new token']);
  await folder.close();
});

it('removes old mails when it is asked to, and nothing else', async () => {
  const { mailer, folder, close } = await startFolder();
  await mailer.removeOld?.(DAY_MS);
  const old = testMail({ kind: 'password-reset' });
  await sendOne(mailer, old);
  const [name] = await readdir(folder);
  await writeFile(join(folder, 'a note.txt'), 'not a mail');
  await writeFile(join(folder, `${name}.part`), 'cut short');
  for (const found of await readdir(folder)) {
    await utimes(join(folder, found), new Date(0), new Date(0));
  }
  await sendOne(mailer, testMail({ kind: 'verify-email' }));
  await mailer.removeOld?.(DAY_MS);
  expect((await readdir(folder)).sort()).toEqual([
    expect.stringContaining('verify-email'),
    'a note.txt',
  ]);
  await close();
});

it('does not take a folder that cannot be read for an empty one', async () => {
  const { mailer, failForNow, close } = await startFolder();
  await failForNow?.();
  await expect(mailer.removeTo?.('ada@example.com')).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(mailer.removeOld?.(DAY_MS)).rejects.toMatchObject({ code: 'ENOTDIR' });
  await close();
});

it('removes the emails to one address, cut short or not, and nothing else', async () => {
  const { mailer, folder, close } = await startFolder();
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.org`;
  const addresses = ['ada@example.com', 'ünï@exämple.de', 'a..b@example.com', long];
  await mailer.removeTo?.('ada@example.com');
  for (const address of addresses) {
    await sendOne(mailer, testMail({ id: `to-${address.length}`, to: address }));
    // Names another address in every header and text that a person can choose.
    const other = { subject: `To: ${address}`, text: `\nTo: ${address}\n` };
    await sendOne(mailer, testMail({ ...other, id: 'other', to: `x${address}` }));
    const written = (await readdir(folder)).find((name) =>
      name.endsWith(`-to-${address.length}.eml`),
    );
    await writeFile(
      join(folder, `${written}.part`),
      (await readFile(join(folder, String(written)))).subarray(0, 1_000),
    );
    await writeFile(join(folder, 'a note.txt'), `To: ${address}\r\n\r\n`);

    await mailer.removeTo?.(address);
    expect((await readdir(folder)).sort()).toEqual([
      expect.stringContaining('-other.eml'),
      'a note.txt',
    ]);
    await mailer.removeTo?.(`x${address}`);
  }
  await close();
});
