import 'fake-indexeddb/auto';
import { and, eq, isNotNull } from 'drizzle-orm';
import { afterEach, it, vi } from 'vitest';
import { call } from '../../client/api/client.ts';
import { closeDatabase } from '../../client/db/database.ts';
import { type AccountServer, walkTwoDevices } from '../../client/sync/two-devices.support.ts';
import { capsuleFiles, capsules, drafts, uploads } from '../../server/db/schema.ts';
import { login } from '../../shared/api/auth.ts';
import { chanceOf } from '../support/chance.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { browserFetch } from './browser-fetch.ts';

/** `DRAFT_SEEDS=100` for the long run. */
const SEEDS = Number(process.env.DRAFT_SEEDS ?? (process.env.TEST_ALL ? 2 : 1));

const server = sharedServer();

afterEach(() => {
  closeDatabase();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The server itself, as one person's devices reach it. */
async function accountOf(name: string): Promise<AccountServer> {
  const { db } = server.deps;
  const { user } = await signUp(server.url, name);
  const respond = browserFetch(server.url);
  vi.stubGlobal('fetch', respond);
  await call(login, { body: { email: user.email, password: PASSWORD } });
  return {
    person: { ...user, avatar: '', isYou: true },
    respond,
    state: async () => {
      const rows = await db
        .select({ id: drafts.id, content: drafts.content })
        .from(drafts)
        .where(and(eq(drafts.userId, user.id), isNotNull(drafts.content)));
      const sealed = await db.select().from(capsules).where(eq(capsules.creatorId, user.id));
      const files = await db
        .select()
        .from(capsuleFiles)
        .innerJoin(capsules, eq(capsules.id, capsuleFiles.capsuleId))
        .where(eq(capsules.creatorId, user.id));
      const waiting = await db.select().from(uploads).where(eq(uploads.userId, user.id));
      return {
        drafts: rows.map(({ id, content }) => ({ id, content: JSON.parse(content ?? '') })),
        capsules: sealed.map(({ id, description, personalMessage }) => ({
          texts: [description, personalMessage],
          files: files
            .filter(({ capsule_files: file }) => file.capsuleId === id)
            .map(({ capsule_files: file }) => file.name),
        })),
        arrived: waiting.filter(({ bytes, received }) => bytes === received).map(({ id }) => id),
      };
    },
  };
}

it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'no word and no file of two devices is lost by the server itself, run %i',
  { timeout: 60_000 },
  async (seed) => {
    const account = await accountOf(`Ada ${seed}`);
    await walkTwoDevices(chanceOf(`two devices ${seed}`), account);
  },
);
