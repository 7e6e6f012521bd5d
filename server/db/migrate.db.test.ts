import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { sharedDatabase } from '../../tests/support/database.ts';
import { projectRoot } from '../project-root.ts';
import { migrateDatabase, refuseNewer } from './migrate.ts';

const database = sharedDatabase();

test('a database that a newer version has updated is refused, unless that is meant', async () => {
  const { address, sql } = database;
  const log = pino({ level: 'silent' });
  const newer = Date.UTC(2100, 0);
  // A version of before wrote none of itself, the next one does.
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('made up', ${newer})`;
  const nameless =
    /^This is Time Capsule [\d.]+, which knows \d+ steps of the database, but a newer version has taken it 1 further\. .*ALLOW_NEWER_DATABASE=on\.$/;
  await expect(migrateDatabase({ address, log })).rejects.toThrow(nameless);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at, version)
    values ('made up too', ${newer + 1}, '9.1.0')`;
  const both =
    /^This is Time Capsule [\d.]+, .* but a newer version, 9\.1\.0, has taken it 2 further\. /;
  await expect(migrateDatabase({ address, log })).rejects.toThrow(both);
  await expect(refuseNewer(sql)).rejects.toThrow(both);
  await migrateDatabase({ address, log, allowNewer: true });
  await sql`delete from drizzle.__drizzle_migrations where created_at >= ${newer}`;
  await refuseNewer(sql);
});

test('each step of an update is a line with its number and its time', async () => {
  const { address, sql } = database;
  const lines: string[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line).msg) },
  );
  await migrateDatabase({ address, log });
  expect(lines).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(projectRoot, 'migrations'), folder, { recursive: true });
  const journal = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8'));
  const next = { version: '7', when: Date.UTC(2100, 0), breakpoints: true };
  for (const [index, tag] of ['9998_one', '9999_two'].entries()) {
    journal.entries.push({ ...next, idx: 9_998 + index, when: next.when + index, tag });
    await writeFile(join(folder, `${tag}.sql`), 'select 1;');
  }
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(journal));
  await migrateDatabase({ address, log, folder });
  expect(lines).toEqual([
    expect.stringMatching(/^Updated the database: step 1 of 2, \d+\.\d s$/),
    expect.stringMatching(/^Updated the database: step 2 of 2, \d+\.\d s$/),
  ]);
  const rows = await sql`select version from drizzle.__drizzle_migrations order by id desc limit 1`;
  expect(rows[0]?.version).toMatch(/^\d+\.\d+\.\d+$/);
});
