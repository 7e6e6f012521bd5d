import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { invitations, users } from '../../server/db/schema.ts';
import { createCapsule, type Invitee } from '../../shared/api/new-capsule.ts';
import { searchRecipient } from '../../shared/api/user.ts';
import { allSent } from '../support/addresses.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { rare } from '../support/rare.ts';
import { sharedServer, startTestServer, type TestServer } from '../support/server.ts';

const newAddress = () => `rose.${randomUUID()}@example.com`;

/** Seals for these people, and invites them. */
const sealing = (by: SignedIn, invite: Invitee[], key: string = randomUUID()) => {
  const recipientEmails = invite.map(({ email }) => email);
  const fields = { ...capsuleFields(by), recipientEmails, invite };
  return by.createCapsule(fields, [], { 'Idempotency-Key': key });
};
const invitationsTo = ({ mailer }: TestServer, email: string) =>
  mailer.sent.filter(({ to, kind }) => to === email && kind === 'invitation');
const invitedBy = ({ deps }: TestServer, { user }: SignedIn) =>
  deps.db.$count(invitations, eq(invitations.inviterId, user.id));
const isFound = async (by: SignedIn, email: string) =>
  answerOf(searchRecipient, await by.get(`/user/search-recipient?query=${email}`)).length > 0;

describe('where addresses are confirmed', () => {
  const server = sharedServer();
  let anna: SignedIn;
  let tom: SignedIn;
  beforeAll(async () => {
    [anna, tom] = [await signUp(server.url, 'Anna'), await signUp(server.url, 'Tom')];
    await server.deps.db.update(users).set({ emailVerifiedAt: server.deps.clock.now() });
    await server.confirmAddresses(true);
  });

  it('people are invited with their capsule, once however often it is sent', async () => {
    const [rose, key] = [newAddress(), randomUUID()];
    const people = [{ email: rose, name: 'Granny' }, { email: tom.user.email }];
    const made = answerOf(createCapsule, await sealing(anna, people, key));
    expect(made.recipients?.map(({ name }) => name)).toEqual(['Granny', 'Tom']);
    expect(answerOf(createCapsule, await sealing(anna, people, key))).toEqual(made);
    await allSent(server);
    expect(invitationsTo(server, tom.user.email)).toEqual([]);
    const [email, ...more] = invitationsTo(server, rose);
    expect(more).toEqual([]);
    expect(email?.text).toContain(
      'Anna has sealed a time capsule for you. It opens on 1 January 2030.',
    );
  });

  it('nobody is invited to a capsule that was refused', async () => {
    const [rose, mia] = [newAddress(), newAddress()];
    answerOf(createCapsule, await sealing(anna, [{ email: rose }]));
    await allSent(server);
    const link = await server.mailedLink(rose, '/auth');
    const refusal = { token: secretIn(link, 'invitation') };
    expect((await anna.post('/auth/refuse-invitation', refusal)).status).toBe(200);
    const refused = await sealing(tom, [{ email: mia }, { email: rose }]);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      code: 'RECIPIENT_NOT_REGISTERED',
      message: `We can't invite ${rose}, perhaps because they asked us not to. Please choose somebody else.`,
    });
    expect(await isFound(tom, mia)).toBe(false);
    await allSent(server);
    expect(invitationsTo(server, mia)).toEqual([]);
  });

  it('who is to be invited is one of the recipients', async () => {
    const rose = newAddress();
    const fields = { ...capsuleFields(tom), invite: [{ email: rose }] };
    answerOf(createCapsule, await anna.createCapsule(fields));
    expect(await isFound(anna, rose)).toBe(false);
  });
});

describe('where nobody has to confirm an address', () => {
  const server = sharedServer();

  it('the answer has the links to hand over, and a repeat has new ones', async () => {
    const [anna, tom] = [await signUp(server.url, 'Anna'), await signUp(server.url, 'Tom')];
    const [email, key] = [newAddress(), randomUUID()];
    const people = [{ email }, { email: tom.user.email }];
    const first = answerOf(createCapsule, await sealing(anna, people, key));
    const again = answerOf(createCapsule, await sealing(anna, people, key));
    const statuses: number[] = [];
    for (const { invitations = [] } of [first, again]) {
      expect(invitations.map((one) => one.email)).toEqual([email]);
      const token = secretIn(new URL(String(invitations[0]?.link)), 'invitation');
      statuses.push((await tom.post('/auth/invitation', { token })).status);
    }
    expect(statuses).toEqual([400, 200]);
    // Others' letters may wait behind the link of who isn't the first.
    expect(answerOf(createCapsule, await sealing(tom, [{ email }])).invitations).toBeUndefined();
  });

  it('a repeat invites nobody whom its capsule has not invited', async () => {
    const [anna, tom] = [await signUp(server.url, 'Eve'), await signUp(server.url, 'Tim')];
    const [email, key] = [newAddress(), { 'Idempotency-Key': randomUUID() }];
    answerOf(createCapsule, await sealing(anna, [{ email }]));
    const fields = { ...capsuleFields(tom), recipientEmails: [email] };
    const first = answerOf(createCapsule, await tom.createCapsule(fields, [], key));
    const more = { ...fields, invite: [{ email }] };
    expect(answerOf(createCapsule, await tom.createCapsule(more, [], key))).toEqual(first);
    expect(await invitedBy(server, tom)).toBe(0);
  });
});

rare(
  'inviting with a capsule counts as inviting does, and nobody is invited where registration is closed',
  async () => {
    const server = await startTestServer({ config: { rateLimits: true } });
    const [anna, tom] = [await signUp(server.url, 'Anna'), await signUp(server.url, 'Tom')];
    const people = Array.from({ length: 20 }, () => ({ email: newAddress() }));
    answerOf(createCapsule, await sealing(anna, people));
    const refused = await sealing(anna, [{ email: newAddress() }]);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ message: expect.stringContaining('20 people') });
    answerOf(
      createCapsule,
      await sealing(anna, [...people.slice(0, 1), { email: tom.user.email }]),
    );
    server.deps.config.registration = 'closed';
    expect((await sealing(tom, [{ email: newAddress() }])).json).toMatchObject({
      code: 'REGISTRATION_CLOSED',
    });
    answerOf(
      createCapsule,
      await sealing(tom, [{ email: anna.user.email }, ...people.slice(0, 1)]),
    );
    expect(await invitedBy(server, tom)).toBe(0);
    await server.close();
  },
);
