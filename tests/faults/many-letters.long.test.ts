import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../server/db/client.ts';
import { SOCKET_NAME } from '../../server/embedded-postgres/socket-directory.ts';
import { MEGABYTE, MESSAGE_MAX } from '../../shared/limits.ts';
import { seal } from '../support/capsules.ts';
import { expectStatus, signUp } from '../support/client.ts';
import { createDataDirectory } from '../support/server-process.ts';

const CAPSULES = 50;
const WRITERS = 50;
const GROWTH_MB = 60;
/** Over a gigabyte of text goes by, and the runtime collects what is left of it when it sees fit. */
const EXPORT_GROWTH_MB = 130;

/** Megabytes of a process that are in memory: now, or the most there ever were. */
async function memory(pid: number, which: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

test(`${CAPSULES} open capsules with ${WRITERS} letters each: a list, the details and an export stay small`, {
  timeout: 300_000,
}, async () => {
  const data = await createDataDirectory();
  onTestFinished(() => data.remove());
  const server = data.start();
  const url = await server.ready();
  const ada = await signUp(url, 'ada');
  const { id } = await seal(ada, ada);
  const { socketDirectory } = (await data.postmaster()) ?? {};
  const address = { socketPath: join(String(socketDirectory), SOCKET_NAME) };
  const sql = createClient(address, { log: pino({ level: 'silent' }), max: 1 });
  onTestFinished(() => sql.end());
  await sql`update capsules set unlock_at = now() - interval '1 day'`;
  await sql`insert into capsules (id, creator_id, title, description, personal_message, date_to_unlock,
      time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at)
    select gen_random_uuid(), creator_id, title, description, personal_message, date_to_unlock,
      time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at
    from capsules, generate_series(2, ${CAPSULES}::int)`;
  // Three bytes each, which is the longest way to write a letter of the longest length.
  await sql`insert into contributions (id, user_id, capsule_id, name, letter, files, revision, secret_hash, created_at, updated_at)
    select gen_random_uuid(), creator_id, id, 'Writer ' || n, repeat('漢', ${MESSAGE_MAX}), '[]', 1, '', now(), now()
    from capsules, generate_series(1, ${WRITERS}::int) n`;

  const asked = async (path: string) => {
    const before = await memory(server.pid, 'VmRSS');
    const { bytes } = expectStatus(await ada.get(path), 200);
    return { path, bytes: bytes.length, grown: (await memory(server.pid, 'VmHWM')) - before };
  };
  await ada.get('/api/capsules/created?limit=1');
  const list = await asked('/api/capsules/created?limit=50');
  const details = await asked(`/api/capsules/${id}`);
  const archive = await asked('/user/export');
  for (const { path, bytes, grown } of [list, details, archive]) {
    console.info(`${path}: ${(bytes / MEGABYTE).toFixed(1)} MB, +${grown.toFixed(0)} MB`);
  }
  expect(list.bytes).toBeLessThan(MEGABYTE);
  expect(details.bytes).toBeGreaterThan(WRITERS * MESSAGE_MAX * 3);
  for (const { grown } of [list, details]) expect(grown).toBeLessThan(GROWTH_MB);
  expect(archive.grown).toBeLessThan(EXPORT_GROWTH_MB);
});
