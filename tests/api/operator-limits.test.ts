import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorActions } from '../../server/db/schema.ts';
import { getDashboardSummary, listCreated } from '../../shared/api/capsules.ts';
import { codeOf } from '../support/addresses.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const join = () => signUp(server.url, `Person ${randomUUID()}`.slice(0, 40));
const operate = (...args: string[]) => runAdmin(server, args);
const limit = (person: SignedIn, ...options: string[]) =>
  operate('limit', person.user.email, ...options, '--reason', 'floods others', '--yes');
const sealing = async (person: SignedIn, files = [pdf()]) =>
  codeOf(await person.createCapsule(capsuleFields(person), files));
const storageOf = async (person: SignedIn) =>
  answerOf(getDashboardSummary, await person.get('/api/capsules/dashboard-summary')).storageUsed;

describe('a limit of one person', () => {
  it('on storage holds for capsules and uploads, is shown, and can be taken back', async () => {
    const [ada, ben] = [await join(), await join()];
    await seal(ada, ada, {}, [pdf()]);
    expect(await limit(ada, '--storage-mb', '0')).toMatchObject({ ok: true });
    expect(await sealing(ada)).toBe('STORAGE_LIMIT_REACHED');
    const upload = { fileName: 'a.pdf', bytes: 2_000_000 };
    expect(codeOf(await ada.post(`/api/uploads/${randomUUID()}`, upload))).toBe(
      'STORAGE_LIMIT_REACHED',
    );
    expect(await storageOf(ada)).toMatchObject({ limitMB: 0, percentageUsed: 100 });
    // What they have stays.
    expect(
      answerOf(listCreated, await ada.get('/api/capsules/created')).pagination.totalItems,
    ).toBe(1);
    expect(await sealing(ben)).toBe(201);
    expect(await limit(ada, '--storage-mb', '5000')).toMatchObject({ ok: true });
    expect(await storageOf(ada)).toMatchObject({ limitMB: 5000 });
    expect(await sealing(ada)).toBe(201);
    expect(await limit(ada, '--storage-mb', 'default')).toMatchObject({ ok: true });
    expect(await storageOf(ada)).toMatchObject({ limitMB: server.deps.config.storageLimitMB });
  });

  it('on capsules a day counts those of the day, and says so', async () => {
    const ada = await join();
    const { id } = await seal(ada, ada);
    await limit(ada, '--capsules-a-day', '2');
    expect(await sealing(ada, [])).toBe(201);
    // From the bin it could come back.
    await ada.delete(`/api/capsules/${id}`);
    const refused = await ada.createCapsule(capsuleFields(ada));
    expect([refused.status, refused.json]).toEqual([
      429,
      {
        code: 'RATE_LIMITED',
        message:
          "You've sealed 2 capsules within a day, which is the most we allow. Please try again later.",
      },
    ]);
    expect(refused.headers.get('retry-after')).toBe('3600');
    await limit(ada, '--capsules-a-day', '0');
    const none = await ada.createCapsule(capsuleFields(ada));
    expect(none.json).toMatchObject({
      message: "Your account can't seal capsules at the moment.",
    });
    await limit(ada, '--capsules-a-day', 'default');
    expect(await sealing(ada, [])).toBe(201);
  });

  it('is asked about, left as it is where nothing is said, and leaves a trace', async () => {
    const ada = await join();
    await limit(ada, '--storage-mb', '7');
    const { lines } = await limit(ada, '--capsules-a-day', '3', '--json');
    expect(JSON.parse(lines.join(''))).toEqual([
      { address: ada.user.email, 'storage, MB': 7, 'capsules a day': 3 },
    ]);
    for (const wrong of [[], ['--storage-mb', '-1'], ['--capsules-a-day', 'many']]) {
      expect(await limit(ada, ...wrong)).toMatchObject({ ok: false });
    }
    const trace = await server.deps.db
      .select({ command: operatorActions.command })
      .from(operatorActions)
      .where(eq(operatorActions.userId, ada.user.id));
    expect(trace.map(({ command }) => command).sort()).toEqual([
      'limit --capsules-a-day 3',
      'limit --storage-mb 7',
    ]);
  });
});

it('the disk is listed by person, the most first, and without those who keep nothing', async () => {
  const [ada, ben] = [await join(), await join()];
  await join();
  const small = pdf();
  await seal(ada, ada, {}, [small]);
  const { id } = await seal(ben, ada, {}, [small, small]);
  await ben.delete(`/api/capsules/${id}`);
  const listed = JSON.parse((await operate('disk', '--json')).lines.join('')) as {
    email: string;
    bytes: number;
  }[];
  expect(listed.map(({ bytes }) => bytes)).toEqual(
    listed.map(({ bytes }) => bytes).toSorted((a, b) => b - a),
  );
  const of = (person: SignedIn) => listed.find(({ email }) => email === person.user.email)?.bytes;
  expect([of(ada), of(ben)]).toEqual([small.bytes.length, 2 * small.bytes.length]);
  expect(listed.every(({ bytes }) => bytes > 0)).toBe(true);
});

describe('maintenance', () => {
  const turn = (what: string) => operate('maintenance', what, '--reason', 'a new disk');
  afterEach(() => turn('off'));

  it('keeps everything from being sealed or uploaded, and nothing from being read', async () => {
    const ada = await join();
    const { id } = await seal(ada, ada);
    const upload = randomUUID();
    const begin = { fileName: 'a.pdf', bytes: 2_000_000 };
    expect((await ada.post(`/api/uploads/${upload}`, begin)).status).toBe(201);
    expect(await turn('on')).toMatchObject({ ok: true });
    const refused = await ada.createCapsule(capsuleFields(ada), [pdf()]);
    expect([refused.status, codeOf(refused)]).toEqual([503, 'MAINTENANCE']);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(codeOf(await ada.post(`/api/uploads/${randomUUID()}`, begin))).toBe('MAINTENANCE');
    const part = { body: 'x', headers: { 'content-type': 'application/octet-stream' } };
    expect(codeOf(await ada.request('PATCH', `/api/uploads/${upload}`, part))).toBe('MAINTENANCE');
    expect((await ada.get(`/api/capsules/${id}`)).status).toBe(200);
    expect((await ada.put(`/api/capsules/${id}/hidden`, { hidden: true })).status).toBe(200);
    expect((await ada.get('/readyz')).status).toBe(200);
    expect(await turn('off')).toMatchObject({ ok: true });
    expect(await sealing(ada)).toBe(201);
  });

  it('is said to be on since the first time, and takes no other word', async () => {
    const since = async (what: string) =>
      JSON.parse((await operate('maintenance', what, '--json')).lines.join(''))[0].since;
    const first = await since('on');
    expect(await since('on')).toBe(first);
    expect(await since('off')).toBeNull();
    expect(await operate('maintenance', 'of')).toMatchObject({ ok: false });
  });
});
