import { beforeAll, describe, expect, it } from 'vitest';
import { axeInBothSchemes } from '../support/axe.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn, signInByForm } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const AWAY =
  "Your list isn't on this phone yet. What you seal is safe here, and goes out by itself.";

describe('waiting', () => {
  const { server, open } = sharedWorld();
  let ada: SignedIn;
  let nora: SignedIn;
  const phone = { viewport: { width: 360, height: 640 } };

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
    nora = await signUp(server.url, 'Nora New');
    await seal(ada, ada, { title: 'The lake' });
  });

  it('around one capsule nothing is drawn but the capsule; the figures unfold', async () => {
    const { page } = await open();
    await signIn(page, { email: ada.user.email, password: ada.password });
    const line = page.getByText('Summary', { exact: true });
    await line.waitFor();
    const storage = page.getByRole('heading', { name: 'Storage' });
    expect(await storage.isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Upcoming unlocks' }).isVisible()).toBe(false);
    await line.click();
    await storage.waitFor();
    await page.getByRole('heading', { name: 'Month by month' }).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);

    // What is asked before it goes says where it goes.
    await page.getByRole('button', { name: 'Delete The lake' }).click();
    await page
      .getByText('It goes to your bin first. You can bring it back for 7 days.', { exact: true })
      .waitFor();
  });

  it('a draft stands on top in the visit in which it arrives, early or late, and in place of the beginnings', async () => {
    const { page, context } = await open(phone);
    await signIn(page, { email: nora.user.email, password: nora.password });
    await page.getByRole('link', { name: "For a child's 18th birthday" }).waitFor();
    const other = await context.newPage();
    await other.goto('/create');
    await other.getByLabel('Capsule Title').fill('For Tom');
    await other.getByText(/^Saved to your account/).waitFor();
    const first = await open(phone);
    await signIn(first.page, { email: nora.user.email, password: nora.password });
    for (const dashboard of [page, first.page]) {
      const draft = dashboard.getByRole('heading', { name: 'Unfinished draft' });
      await draft.waitFor();
      const tabs = await dashboard.getByRole('tablist', { name: 'Capsules' }).boundingBox();
      expect((await draft.boundingBox())?.y).toBeLessThan(tabs?.y ?? 0);
      const beginnings = dashboard.getByRole('link', { name: /First Capsule|18th birthday/ });
      expect(await beginnings.count()).toBe(0);
    }
  });

  it('who has only received reads where that is', async () => {
    const [tom, mia] = [await signUp(server.url, 'Tom'), await signUp(server.url, 'Mia')];
    await seal(tom, mia);
    const { page } = await open(phone);
    await signIn(page, { email: mia.user.email, password: mia.password });
    await page.getByRole('button', { name: 'See what others sent you' }).click();
    await page.getByRole('tab', { name: 'Shared With Me', selected: true }).waitFor();
  });

  it('a server that is back is noticed by a page that is only looked at', async () => {
    const { page } = await open(phone);
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.getByRole('tab', { name: 'My Capsules (' }).waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    const away = page.getByText('No connection · ').filter({ visible: true });
    await away.waitFor();
    await page.unroute('**/api/**');
    await away.waitFor({ state: 'detached', timeout: 45_000 });
  });

  it('a server that is away is told once, and not in red', async () => {
    const { page } = await open(phone);
    // It goes away right after the sign-in.
    await page.route(/\/(api|user)\//, (route) =>
      route.request().isNavigationRequest() ? route.fallback() : route.abort(),
    );
    await signInByForm(page, { email: ada.user.email, password: ada.password });
    // Once: what the other tab would say is hidden.
    await page.getByText(AWAY).filter({ visible: true }).waitFor();
    const alerts = page.getByRole('alert');
    expect((await alerts.allInnerTexts()).join('')).toBe('');
    expect(await page.getByText(/Network Error|Failed|Not saved/).count()).toBe(0);
    expect(await axeInBothSchemes(page)).toEqual([]);
  });
});
