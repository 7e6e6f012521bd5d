import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { capsuleFiles } from '../../server/db/schema.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { type FixtureFile, pdf } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';
import { unzip } from '../support/unzip.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });

const seal = async (by: SignedIn, title: string, files: FixtureFile[]) => {
  const fields = capsuleFields(by, { title, dateToUnlock: '2030-01-01' });
  return answerOf(createCapsule, await by.createCapsule(fields, files)).id;
};

it('gives all files of an opened capsule as one ZIP, named after it, and nothing before', async () => {
  const anna = await signUp(server.url, 'Anna');
  const stranger = await signUp(server.url, 'Stranger');
  const files = [pdf('Poem.pdf', 'one'), pdf('Poem.pdf', 'two'), pdf('Album.pdf', 'three')];
  const id = await seal(anna, 'For Mia: 18/19', files);
  const empty = await seal(anna, 'Empty', []);
  const get = (by: SignedIn, of = id) => by.get(`/api/capsules/${of}/files.zip`);

  // While it is locked, it is refused as a download of one file is.
  const refusal = expectStatus(await anna.get(`/api/capsules/download/${randomUUID()}`), 404);
  expect((await get(anna)).json).toEqual(refusal.json);
  server.clock.set('2030-01-01T00:00:00Z');
  for (const answer of [
    await get(stranger),
    await get(anna, empty),
    await get(anna, randomUUID()),
    await get(anna, 'x'),
  ]) {
    expect([answer.status, answer.json]).toEqual([404, refusal.json]);
  }

  const answer = expectStatus(await get(anna), 200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toContain('For%20Mia_%2018_19.zip');
  const archive = await unzip(answer.bytes);
  expect([...archive.keys()]).toEqual([
    'For Mia_ 18_19/01 Poem.pdf',
    'For Mia_ 18_19/02 Poem.pdf',
    'For Mia_ 18_19/03 Album.pdf',
  ]);
  expect([...archive.values()]).toEqual(files.map(({ bytes }) => bytes));

  const [first] = await server.deps.db
    .select()
    .from(capsuleFiles)
    .where(eq(capsuleFiles.capsuleId, id))
    .orderBy(capsuleFiles.position);
  await server.deps.files.delete([first?.storageKey ?? '']);
  const rest = await unzip((await get(anna)).bytes);
  expect([...rest.keys()].map((path) => path.replace(/^.*\//, ''))).toEqual([
    '02 Poem.pdf',
    '03 Album.pdf',
    'Not complete.txt',
  ]);
  expect(String(rest.get('For Mia_ 18_19/Not complete.txt'))).toContain('Poem.pdf');
});
