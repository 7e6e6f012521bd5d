import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import type { CurrentUser } from '../../shared/api/user.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { saveProfile } from './use-people.ts';

const person = (n: number, name: string): CurrentUser => ({
  ...{ id: sampleId(n), name, email: `${name}@example.com`, bio: '', avatar: name },
  createdAt: '2026-01-01T00:00:00.000Z',
});

it('a profile goes to its own person alone, whoever has signed in meanwhile', async () => {
  const ben = person(102, 'Ben');
  const words = { name: 'Ben', bio: 'Letters' };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    sent.push(method);
    return Response.json(ben);
  });
  await expect(saveProfile(person(101, 'Ada'), words)).rejects.toThrow();
  expect(sent).toEqual(['GET']);
  await saveProfile(ben, words);
  expect(sent).toEqual(['GET', 'GET', 'PUT']);
});
