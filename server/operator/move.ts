import { resolve } from 'node:path';
import { MEGABYTE } from '../../shared/limits.ts';
import type { Config } from '../config.ts';
import { isWellFormed, MALFORMED } from '../config-address.ts';
import { hasServer } from '../db/client.ts';
import { setFinished, setMoved } from '../db/server-state.ts';
import { writeMark } from '../domain/storage/store-identity.ts';
import { StartError } from '../start-error.ts';
import { copyInstance, prepareCopy } from './copy-instance.ts';
import { forPeople } from './for-people.ts';
import { type OpenedPlace, type Place, withPlace, withSource } from './operator-database.ts';

export interface MoveOptions {
  /** The new database: `postgres://…`, or the folder of an embedded one. */
  to?: string | undefined;
  /** The new store of files: `s3` with the S3_… variables, or `disk`. Without it files stay. */
  files?: string | undefined;
}

/**
 * The operator's command `npm run move`: copies an instance that is stopped to another database,
 * and its files to another store. Repeated after an interruption, it replaces the rows and copies the
 * files that are still missing. At the end the old database is marked as moved, and no server starts
 * on it any more.
 */
export const move = forPeople(async (config, options: MoveOptions) => {
  const [source, target] = placesOf(config, options);
  return await withSource(source, { beside: false }, (from) =>
    withPlace(target, async (to) => {
      await assertNoServer(from, to);
      await prepareCopy(from, to);
      const { rows, report } = await copyInstance(from, to);
      const { files, bytes, faults } = report;
      const ok = faults.length === 0;
      await assertNoServer(from, to);
      if (ok) await finish(from, to);
      return {
        ok,
        lines: [
          ...faults,
          `${rows} rows are in ${to.name}, and ${files} files (${Math.ceil(bytes / MEGABYTE)} MB, read and hashed) in ${to.store}: ${faults.length} missing or damaged.`,
          ...(ok
            ? [`Start the server with ${settingsFor(source, target)}.`, MARKED, PASSKEYS]
            : [NOT_MARKED]),
        ],
      };
    }),
  );
});

const MARKED =
  'The old database is marked as moved, and the server does not start on it any more. Keep it as a backup until you trust the new one.';
const PASSKEYS =
  'Passkeys work under the host of APP_URL alone. If that changes as well, people sign in with their passwords and add new ones.';
const NOT_MARKED =
  'So the move is not finished, and the old database still counts. Bring these files back from a backup, or accept their loss (npm run fsck -- --accept-loss), and move again.';

/** @throws StartError when the options do not name another place */
function placesOf(config: Config, { to, files }: MoveOptions): [source: Place, target: Place] {
  if (!to) {
    throw new StartError(
      'Please say where: npm run move -- --to postgres://… (or the folder of a new data directory) [--files s3|disk]',
    );
  }
  if (files !== undefined && files !== 's3' && files !== 'disk') {
    throw new StartError('--files is either s3 or disk.');
  }
  if (files !== undefined && !config.s3) {
    throw new StartError(`--files ${files} needs the S3_… variables of the bucket.`);
  }
  const source = { ...config, s3: files === 's3' ? null : config.s3 };
  const isUrl = /^postgres(ql)?:\/\//.test(to);
  if (isUrl && !isWellFormed(to)) throw new StartError(`--to ${MALFORMED}.`);
  const target = {
    databaseUrl: isUrl ? to : null,
    databaseDirectUrl: null,
    dataDir: isUrl ? config.dataDir : resolve(to),
    s3: files === 'disk' ? null : config.s3,
  };
  const isSame = isUrl
    ? to === config.databaseUrl || to === config.databaseDirectUrl
    : config.databaseUrl === null && target.dataDir === config.dataDir;
  if (isSame) throw new StartError('--to names the database that is to be moved.');
  return [source, target];
}

/** The variables that the new instance is started with, for a person to read. */
function settingsFor(source: Place, target: Place): string {
  const settings = [
    target.databaseUrl ? 'DATABASE_URL set to the new database' : `DATA_DIR=${target.dataDir}`,
  ];
  if (!target.databaseUrl && source.databaseUrl) settings.push('without DATABASE_URL');
  if (target.s3) settings.push('with the S3_… variables');
  else if (source.s3) settings.push('without the S3_… variables');
  return settings.join(', ');
}

/** @throws StartError while a server or another command uses one of them */
async function assertNoServer(...places: OpenedPlace[]): Promise<void> {
  for (const { client, name } of places) {
    if (await hasServer(client)) {
      throw new StartError(
        `A server or another command still uses ${name}. End it first: what it takes meanwhile would be lost.`,
      );
    }
  }
}

/** The new database has everything. The old one gets another id, so that their files know one only. */
async function finish(from: OpenedPlace, to: OpenedPlace): Promise<void> {
  // Also where a provider has ended the writing, because a full disk is a reason to move.
  const id = await from.db.transaction((tx) => setMoved(tx, to.name), { accessMode: 'read write' });
  await setFinished(to.db);
  if (id && from.store !== to.store) await writeMark(from.files, id);
}
