import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keepOwner } from '../keep-owner.ts';
import type { Log } from '../log.ts';
import type { Mail, Mailer } from './mailer.ts';
import { mimeBytes, type Sender } from './message.ts';

/** Where emails are saved when there is no provider. */
export function outboxPath(dataDir: string): string {
  return join(dataDir, 'outbox');
}

/**
 * Writes each mail as an `.eml` file instead of sending it, and logs its link, so that every
 * flow works on a laptop. Another attempt at the same mail replaces the file.
 */
export function createOutboxFolder(options: { folder: string; sender: Sender; log: Log }): Mailer {
  const { folder, sender, log } = options;

  async function save(mail: Mail): Promise<void> {
    const bytes = await mimeBytes(mail, sender);
    const path = join(folder, fileName(mail));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await keepOwner(dirname(folder), folder);
    await writeWhole(path, bytes);
    await keepOwner(folder, path);
    // Not its name, from which the address can be guessed.
    log.info({ kind: mail.kind, id: mail.id, link: mail.link }, 'Saved an email as a file.');
  }

  async function written(): Promise<string[]> {
    // There is no folder before the first mail.
    const names = (await orMissing(readdir(folder))) ?? [];
    return names.filter((name) => OWN_NAME.test(name)).map((name) => join(folder, name));
  }

  return {
    // The file of an email replaces the one of an earlier attempt.
    keyKnownMs: Number.POSITIVE_INFINITY,
    batchMax: 1,
    async send(mails, { begin }) {
      await begin();
      for (const mail of mails) await save(mail);
      return mails.map(() => null);
    },
    async removeOld(olderThanMs) {
      for (const path of await written()) {
        const found = await orMissing(stat(path));
        if (found && Date.now() - found.mtimeMs > olderThanMs) await rm(path, { force: true });
      }
    },
    async removeTo(address) {
      // Looks at the files, not at rows: the emails of a deleted capsule have no row any more.
      const theirs = (await written()).filter((path) => path.includes(nameOf(address)));
      for (const path of theirs) await rm(path, { force: true });
    },
  };
}

/** Null if there is no such file, or it has just been renamed or removed. */
async function orMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Half-written ones too. */
const OWN_NAME = /\.eml(\.part)?$/;

/** By which the emails to an address are found again. */
const nameOf = (address: string) =>
  `-to-${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;

/** Sorts by time, says what it is and for whom, and is the same for every attempt. */
function fileName(mail: Mail): string {
  const time = mail.queuedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return `${time}-${mail.kind}${nameOf(mail.to)}-${mail.id}.eml`;
}

/** Whoever watches the folder sees the whole file or none. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.part`;
  try {
    await writeFile(unfinished, bytes, { mode: 0o600, flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
