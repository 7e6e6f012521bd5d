import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { users } from '../../server/db/schema.ts';
import { login } from '../../shared/api/auth.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import { forgetEmails } from '../support/addresses.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, createClient, expectStatus, PASSWORD, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });

async function visitor() {
  const client = createClient(server.url);
  await client.get('/api/limits');
  return client;
}

const signIn = async (email: string) =>
  (await visitor()).post('/auth/login', { email, password: PASSWORD });

describe('an address whose accents are typed in another way', () => {
  const name = 'Zo\u00EB Composed';
  const email = 'zo\u00EB@example.org';
  const other = email.normalize('NFD');

  it('is the same account, at sign-in, at registration and as a recipient', async () => {
    const client = await visitor();
    expectStatus(await client.post('/auth/register', { name, email, password: PASSWORD }), 201);
    const { user } = answerOf(login, await signIn(other));
    expect(user.email).toBe(email);
    const again = { name: 'Someone else', email: other, password: PASSWORD };
    expect((await client.post('/auth/register', again)).status).toBe(409);

    const friend = await signUp(server.url, 'Friend of accents');
    const capsule = await seal(friend, { user: { email: other } });
    expect(capsule.recipientEmails).toEqual([email]);
    const query = encodeURIComponent('Zo\u00EB comp'.normalize('NFD'));
    const found = await friend.get(`/user/search-recipient?query=${query}`);
    expect(found.json).toMatchObject([{ id: user.id }]);
  });
});

describe('an address whose domain has letters beyond ASCII', () => {
  const spellings = (name: string) => [
    `${name}@bücher.example`,
    `${name}@xn--bcher-kva.example`,
    `${name.toUpperCase()}@BÜCHER.Example.`,
    `${name}@ｂücher。example`,
  ];

  it('is one person however it is written, at every door', async () => {
    const client = await visitor();
    const [written = '', canonical] = spellings('ann');
    const ann = { name: 'Ann of the books', password: PASSWORD };
    const made = await client.post('/auth/register', { ...ann, email: written });
    expectStatus(made, 201);
    const friend = await signUp(server.url, 'Friend of books');
    for (const email of spellings('ann')) {
      const { user } = answerOf(login, await signIn(email));
      expect(user.email).toBe(canonical);
      expect((await client.post('/auth/register', { ...ann, email })).status).toBe(409);
      const capsule = await seal(friend, { user: { email } });
      expect(capsule.recipientEmails).toEqual([canonical]);
      for (const path of ['user/search-recipient', 'community/search-profile']) {
        const found = await friend.get(`/${path}?query=${encodeURIComponent(email)}`);
        expect(found.json).toMatchObject([{ name: ann.name }]);
      }
      const change = { email, password: PASSWORD };
      expect((await friend.post('/user/email', change)).json).toMatchObject({
        code: 'EMAIL_TAKEN',
      });
      await forgetEmails(server);
      await client.post('/auth/forgot-password', { email });
      expect(await server.mailedLink(canonical ?? '', '/auth/reset-password')).toBeTruthy();
    }
    const [first, ...others] = spellings('bo');
    await friend.post('/user/invitations', { email: first });
    for (const email of others) {
      const capsule = await seal(friend, { user: { email } });
      expect(capsule.recipientEmails).toEqual(['bo@xn--bcher-kva.example']);
    }
  });
});

describe('invisible characters', () => {
  it('are refused in a new address and a new name, by field', async () => {
    const client = await visitor();
    const account = { name: 'A\u200Bda', email: 'a\u200Bda@example.org', password: PASSWORD };
    const refused = expectStatus(await client.post('/auth/register', account), 400);
    expect(errorBodySchema.parse(refused.json).errors).toEqual({
      name: 'Name contains an invisible character. Please type it instead of pasting it.',
      email: 'This address contains an invisible character. Please type it instead of pasting it.',
    });
    const person = await signUp(server.url, 'Visible');
    expect((await person.put('/user/update-profile', { name: '\u202EelbisiV' })).status).toBe(400);
    const family = 'The 👩\u200D👩\u200D👧 ❤\uFE0F';
    const renamed = await person.put('/user/update-profile', { name: family });
    expect(renamed.json).toMatchObject({ name: family });
  });

  it('do no harm to an account that has them already', async () => {
    const helper = await signUp(server.url, 'Helper');
    const [row] = await server.deps.db.query.users.findMany({
      where: (user, { eq }) => eq(user.id, helper.user.id),
    });
    if (!row) throw new Error('There is no such account.');
    const email = 'old\u200B@example.org';
    await server.deps.db
      .insert(users)
      .values({ ...row, id: randomUUID(), email, name: 'O\u200Bld' });
    expect(answerOf(login, await signIn(email)).user).toMatchObject({ email, name: 'O\u200Bld' });
    expect((await seal(helper, { user: { email } })).recipientEmails).toEqual([email]);
  });
});
