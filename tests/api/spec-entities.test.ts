import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';

const CAPSULE = [
  'id',
  'title',
  'description',
  'createdBy',
  'recipientEmails',
  'dateToUnlock',
  'createdAt',
  'fileInfo',
  'personalMessage',
  'senderEmail',
  'mediaCount',
];
const LIST_ITEM = [...CAPSULE, 'unlockDate', 'senderName', 'type'];
const SIZE = 1_572_864;

describe('what the calls answer with, field by field', () => {
  const server = sharedServer();
  let ada: SignedIn;
  let grace: SignedIn;
  let id: string;

  const get = async (client: SignedIn, path: string) =>
    expectStatus(await client.get(path), 200).json as Record<string, never>;

  beforeAll(async () => {
    [ada, grace] = await Promise.all([
      signUp(server.url, 'Ada Lovelace'),
      signUp(server.url, 'Grace Hopper'),
    ]);
    const bytes = Buffer.concat(await largeVideo(SIZE).toArray());
    const dateToUnlock = addDays(dayAt(server.clock.now(), 'UTC'), 3);
    const file = { name: 'steps.mp4', type: 'video/mp4', bytes };
    ({ id } = await seal(ada, grace, { dateToUnlock, notifyRecipient: true }, [file]));
  });

  it('a capsule has every documented field, in its detail and in the lists [3.entities.3 3.entities.5 3.entities.6]', async () => {
    const detail = await get(ada, `/api/capsules/${id}`);
    expect(Object.keys(detail)).toEqual(expect.arrayContaining(CAPSULE));
    expect(detail).toMatchObject({
      createdBy: 'Ada Lovelace',
      senderEmail: ada.user.email,
      recipientEmails: [grace.user.email],
      mediaCount: 1,
    });
    const lists = [
      [ada, 'created'],
      [grace, 'received'],
    ] as const;
    for (const [client, type] of lists) {
      const { capsules } = (await get(
        client,
        `/api/capsules/${type}?page=1&limit=6`,
      )) as unknown as {
        capsules: object[];
      };
      expect(Object.keys(capsules[0] ?? {})).toEqual(expect.arrayContaining(LIST_ITEM));
      expect(capsules[0]).toMatchObject({
        type,
        senderName: 'Ada Lovelace',
        unlockDate: detail.dateToUnlock,
      });
    }
  });

  it('the summary has every documented field [3.entities.13 3.entities.14 3.entities.15 3.entities.16 3.entities.17]', async () => {
    const summary = await get(ada, '/api/capsules/dashboard-summary');
    expect(summary).toMatchObject({
      totalCapsules: 1,
      createdCapsules: 1,
      receivedCapsules: 0,
      lockedCapsules: 1,
      upcomingUnlocks: { thisWeek: 1, thisMonth: 1 },
      storageUsed: { percentageUsed: 0.1, totalMB: 1.5, limitMB: 1024 },
      nextUnlocks: [
        { id, title: 'For later', type: 'created', daysRemaining: 3, senderName: 'Ada Lovelace' },
      ],
    });
    const { nextUnlocks, monthlyStats } = summary as unknown as {
      nextUnlocks: { unlockDate: string }[];
      monthlyStats: Record<string, unknown>[];
    };
    expect(nextUnlocks[0]?.unlockDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(monthlyStats).toHaveLength(12);
    for (const stat of monthlyStats) {
      expect(stat).toEqual({
        month: expect.stringMatching(/^\d{4}-\d{2}$/),
        created: expect.any(Number),
        received: expect.any(Number),
        unlocked: expect.any(Number),
      });
    }
  });

  it('people have the documented fields of each search [3.entities.20 3.entities.21]', async () => {
    const { id: userId, createdAt } = grace.user;
    const person = { id: userId, name: 'Grace Hopper', email: grace.user.email, avatar: 'G' };
    expect(await get(ada, '/community/search-profile?query=hopper')).toMatchObject([
      { ...person, userId, createdAt },
    ]);
    expect(await get(ada, '/user/search-recipient?query=hopper')).toMatchObject([person]);
  });

  it('only its creator deletes a capsule [6.roles.7]', async () => {
    expectStatus(await grace.delete(`/api/capsules/${id}`), 404);
    expectStatus(await grace.get(`/api/capsules/${id}`), 200);
    const own = await ada.createCapsule(capsuleFields(grace));
    const made = expectStatus(own, 201).json as { id: string };
    expectStatus(await ada.delete(`/api/capsules/${made.id}`), 200);
    expectStatus(await grace.get(`/api/capsules/${made.id}`), 404);
  });

  it('a file has its id, its name and its size in megabytes [3.entities.4]', async () => {
    server.clock.advance({ days: 3 });
    expect((await get(grace, `/api/capsules/${id}`)).fileInfo).toMatchObject([
      { fileId: expect.stringMatching(/^[0-9a-f-]{36}$/), fileName: 'steps.mp4', fileSize: 1.5 },
    ]);
  });
});
