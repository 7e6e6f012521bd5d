import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCreated } from '../../shared/api/capsules.ts';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo } from '../support/fixtures.ts';
import { type Fate, type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { answer, chooseFor, signIn, writeCapsule } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const MINUTE_MS = 60_000;

describe('two devices, two people', () => {
  const { server, visit } = sharedWorld();
  let ada: SignedIn;
  let bob: SignedIn;
  let people = 0;
  const proxies: LossyProxy[] = [];

  beforeEach(async () => {
    people += 1;
    ada = await signUp(server.url, `Ada ${people}`);
    bob = await signUp(server.url, `Bob ${people}`);
  });
  afterEach(async () => {
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });

  const device = (baseURL = server.url): Promise<Visitor> => visit({ baseURL });

  function enter(page: Page, { user, password }: SignedIn): Promise<void> {
    return signIn(page, { email: user.email, password });
  }

  function card(page: Page, title: string) {
    return page.getByRole('article').filter({ hasText: title });
  }

  async function titlesOf(person: SignedIn): Promise<string[]> {
    const { capsules } = answerOf(listCreated, await person.get('/api/capsules/created'));
    return capsules.map(({ title }) => title);
  }

  it('a capsule sealed on one comes to the other when it is looked at again, and goes from it', async () => {
    const [first, second] = await Promise.all([device(), device()]);
    await second.page.clock.install();
    await enter(second.page, ada);
    await second.page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    await enter(first.page, ada);
    await first.page.getByRole('link', { name: 'Create New Capsule' }).waitFor();
    const made = await seal(ada, ada, { title: 'Made elsewhere' });

    const lookAgain = async () => {
      await second.page.clock.fastForward(MINUTE_MS);
      await second.page.evaluate(`dispatchEvent(new Event('focus'))`);
    };
    await lookAgain();
    await card(second.page, 'Made elsewhere').waitFor();
    await second.page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    await second.page.getByRole('button', { name: /View.*Made elsewhere/ }).click();
    await second.page.getByText('This capsule is still locked.').waitFor();
    await second.page.getByRole('button', { name: 'Close' }).first().click();

    await first.page.reload();
    await card(first.page, 'Made elsewhere').waitFor();
    // Of the only capsule it is folded.
    await first.page.getByText('Upcoming unlocks').waitFor({ state: 'attached' });
    await chooseFor(first.page, 'Made elsewhere', 'Delete');
    await answer(first.page, 'Are you sure you want to delete this capsule?', 'OK');
    await first.page.getByText('Capsule deleted successfully!').waitFor();
    await first.page.getByText('Upcoming unlocks').waitFor({ state: 'detached' });
    await until(async () => ((await first.kept()).includes('Made elsewhere') ? null : true));
    await lookAgain();
    await card(second.page, 'Made elsewhere').waitFor({ state: 'detached' });
    await second.page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    // Nor does the device keep it anywhere: card, figures, upcoming unlocks.
    await until(async () => {
      const kept = await second.kept();
      return kept.includes('Made elsewhere') || kept.includes(made.id) ? null : true;
    });
  });

  it('a capsule deleted while it is looked at elsewhere is gone there too', async () => {
    const made = await seal(ada, ada, { title: 'Looked at' });
    const { page, kept } = await device();
    await enter(page, ada);
    await card(page, 'Looked at').waitFor();
    expect((await ada.delete(`/api/capsules/${made.id}`)).status).toBe(200);
    await page.getByRole('button', { name: /View.*Looked at/ }).click();
    await page.getByRole('tab', { name: 'My Capsules (0)', includeHidden: true }).waitFor({
      state: 'attached',
    });
    await page.reload();
    await page.getByRole('tab', { name: 'My Capsules (0)', includeHidden: true }).waitFor({
      state: 'attached',
    });
    await until(async () => ((await kept()).includes('Looked at') ? null : true));
  });

  it('whoever signs in in another tab: neither tab, nor the device, has a row of who was before', async () => {
    await seal(ada, ada, { title: 'Only for Ada' });
    await seal(bob, bob, { title: 'Only for Bob' });
    const { context, page, kept } = await device();
    await enter(page, ada);
    await card(page, 'Only for Ada').waitFor();
    const other = await context.newPage();
    await other.goto('/dashboard');
    await card(other, 'Only for Ada').waitFor();

    await other.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await answer(other, 'Are you sure you want to logout?', 'OK');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    await page.getByText("You've been signed out. Please sign in again.").waitFor();
    expect(await page.content()).not.toContain('Only for Ada');
    await enter(other, bob);
    await card(other, 'Only for Bob').waitFor();
    await page.goto('/dashboard');
    await card(page, 'Only for Bob').waitFor();
    for (const tab of [page, other]) expect(await tab.content()).not.toContain('Only for Ada');
    const left = await kept();
    expect(['Only for Ada', ada.user.email].filter((trace) => left.includes(trace))).toEqual([]);
  });

  it('a session replaced while a capsule is sent: it does not go out under the other name', async () => {
    const proxy = await startLossyProxy(server.url);
    proxies.push(proxy);
    const { page } = await device(proxy.url);
    await enter(page, ada);
    const file = {
      name: 'film.mp4',
      type: 'video/mp4',
      bytes: Buffer.concat(await largeVideo(17_000_000).toArray()),
    };
    const content = { title: 'By Ada alone', description: 'In parts', message: 'See you' };
    await writeCapsule(page, { ...content, recipients: [ada.user.name], files: [file] });
    let parts = 0;
    let replaced: Promise<unknown> = Promise.resolve();
    proxy.decide = async (method): Promise<Fate> => {
      if (method !== 'PATCH') return 'pass';
      parts += 1;
      // The person's own cookies change under the page, as another tab of another app may do.
      if (parts === 2) replaced = page.evaluate(replaceSession(bob));
      if (parts === 2) await replaced;
      return 'pass';
    };
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await until(() => (parts >= 2 ? true : null));
    await replaced;
    proxy.decide = () => 'pass';
    await page.waitForURL('/');
    expect([await titlesOf(ada), await titlesOf(bob)]).toEqual([[], []]);

    // Bob's screens come, without anything of Ada's, and his leaving does not take hers along.
    await enter(page, bob);
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    await page.goto('/outbox');
    await page.getByText('Nothing is waiting.').waitFor();
    expect(await page.content()).not.toContain('By Ada alone');
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');

    await enter(page, ada);
    await until(async () => ((await titlesOf(ada)).length > 0 ? true : null));
    expect([await titlesOf(ada), await titlesOf(bob)]).toEqual([['By Ada alone'], []]);
  });
});

/** A sign-in past the app: the browser's cookies are another person's, and no page has been told. */
function replaceSession({ user, password }: SignedIn): string {
  const body = JSON.stringify(JSON.stringify({ email: user.email, password }));
  return `fetch('/auth/login', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-XSRF-TOKEN': decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)[1]),
    },
    body: ${body},
  }).then((answer) => { if (!answer.ok) throw new Error('No sign-in: ' + answer.status); })`;
}
