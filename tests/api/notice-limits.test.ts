import { expect, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z', config: { rateLimits: true } });

const sentTo = (person: { user: { email: string } }) =>
  server.mailer.sent.filter(({ to }) => to === person.user.email);

it('a capsule that was deleted counts towards the emails its creator may cause', async () => {
  const [ada, grace] = [await signUp(server.url, 'Ada'), await signUp(server.url, 'Grace')];
  for (let count = 1; count <= 10; count += 1) {
    const { id } = await seal(ada, grace, { notifyRecipient: true });
    await expect.poll(() => sentTo(grace).length).toBe(count);
    expect((await ada.delete(`/api/capsules/${id}`)).status).toBe(200);
  }
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  expect((await ada.get(`/api/capsules/${id}/notices`)).json).toEqual({ notices: [] });
  expect((await grace.get(`/api/capsules/${id}`)).status).toBe(200);
});
