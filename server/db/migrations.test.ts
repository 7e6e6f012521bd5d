import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../project-root.ts';

/** What makes servers of the version before wait or fail, and what is done instead. */
const REFUSED: [statement: RegExp, instead: string][] = [
  [
    /^create (unique )?index (?!concurrently if not exists ")/,
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "…"',
  ],
  [/^drop index (?!concurrently if exists )/, 'DROP INDEX CONCURRENTLY IF EXISTS'],
  [/ alter column \S+ (set data )?type /, 'a new column'],
  [/ alter column \S+ set not null/, 'a CHECK that is NOT VALID first'],
  [/ add column (?!.* default ).* not null/, 'a DEFAULT'],
  [
    / add column .* (default (?!now\(\))\S*\(|generated |serial)/,
    'a column without what rewrites the table',
  ],
  [
    / add (column .* (unique|primary key|references) |constraint (?!.* not valid))/,
    'NOT VALID first',
  ],
  [/^update (?!"server_state")/, 'a job of the server, in batches'],
  [/^do /, 'statements that can be checked'],
];

/** Takes away what the version before still uses. */
const CONTRACTS =
  /^drop (table|type|function|trigger)|^delete from | drop column | rename | alter column \S+ drop default/;
const CONTRACT_MARK = /^-- Contract: \S/m;

/** What is wrong with a migration: its statements that would make others wait, or fail. */
function faultsOf(statements: string[]): string[] {
  const isMarked = CONTRACT_MARK.test(statements.join('\n'));
  const plain = statements.map((one) =>
    one
      .replaceAll(/^\s*--.*$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .toLowerCase(),
  );
  const made = plain.flatMap((one) => /^create (?:unlogged )?table ("\w+")/.exec(one)?.[1] ?? []);
  const faults = plain.flatMap((one) => {
    const table = /(?: on |^alter table |^update )("\w+")/.exec(one)?.[1];
    if (table && made.includes(table)) return [];
    const refused = REFUSED.filter(([statement]) => statement.test(one)).map(
      ([, instead]) => instead,
    );
    if (CONTRACTS.test(one) && !isMarked)
      refused.push('a line "-- Contract: …" that says since when nothing uses it');
    return refused.map((instead) => `${one.slice(0, 60)}: ${instead}`);
  });
  const besides = plain.filter((one) => one.includes(' index concurrently '));
  if (besides.length > 0 && besides.length < plain.length) {
    faults.push('CONCURRENTLY: in a migration of its own');
  }
  return faults;
}

const migrations = readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') });

it('migrations do not make a server of the version before wait or fail', () => {
  expect(migrations.flatMap(({ sql }) => faultsOf(sql))).toEqual([]);
});

describe('of a migration', () => {
  it.each([
    'CREATE INDEX "a" ON "mails" ("id")',
    'CREATE INDEX CONCURRENTLY "a" ON "mails" ("id")',
    'DROP INDEX "a"',
    'ALTER TABLE "mails" ALTER COLUMN "kind" SET DATA TYPE varchar(9)',
    'ALTER TABLE "mails" ALTER COLUMN "kind" SET NOT NULL',
    'ALTER TABLE "mails" ADD COLUMN "mood" text NOT NULL',
    'ALTER TABLE "mails" ADD COLUMN "mood" uuid DEFAULT gen_random_uuid() NOT NULL',
    'ALTER TABLE "mails" ADD CONSTRAINT "a" FOREIGN KEY ("id") REFERENCES "users"("id")',
    'UPDATE "mails" SET "mood" = 1',
    'DELETE FROM "mails"',
    'ALTER TABLE "mails" DROP COLUMN "mood"',
    'ALTER TABLE "mails" RENAME COLUMN "mood" TO "temper"',
    'DROP TABLE "mails"',
    '-- Add.\nALTER TABLE "mails" RENAME TO "letters"',
  ])('%s is refused', (statement) => {
    expect(faultsOf([statement])).toHaveLength(1);
  });

  it.each([
    [['CREATE TABLE "new" ("id" uuid NOT NULL)', 'CREATE INDEX "a" ON "new" ("id")']],
    [['CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "mails" ("id")']],
    [
      [
        'ALTER TABLE "mails" ADD COLUMN "mood" text',
        'ALTER TABLE "mails" ADD COLUMN "b" boolean DEFAULT false NOT NULL',
      ],
    ],
    [['ALTER TABLE "mails" ADD CONSTRAINT "a" CHECK ("mood" > 1) NOT VALID']],
    [['-- Contract: nothing reads it since 0.4.\nALTER TABLE "mails" DROP COLUMN "mood"']],
  ])('%j is accepted', (statements) => {
    expect(faultsOf(statements)).toEqual([]);
  });

  it('an index is built apart from what needs a transaction', () => {
    const index = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "mails" ("mood")';
    expect(faultsOf(['ALTER TABLE "mails" ADD COLUMN "mood" text', index])).toHaveLength(1);
  });
});
