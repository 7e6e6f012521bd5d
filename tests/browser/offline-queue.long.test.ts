import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { drafts, sessions, uploads } from '../../server/db/schema.ts';
import { countUploads } from '../../server/db/storage/uploads.ts';
import { listDrafts } from '../../shared/api/drafts.ts';
import { watchAppended } from '../support/appended.ts';
import { answerOf, type SignedIn } from '../support/client.ts';
import { newLink, Writer } from '../support/contributions.ts';
import { photo, sha256 } from '../support/fixtures.ts';
import { sealedBy, untilSealed } from '../support/ledger.ts';
import type { Fate } from '../support/lossy-proxy.ts';
import { atQueue, gate, KEPT, PART_BYTES, share, video } from '../support/queue.ts';
import { answer, signInByForm } from '../support/screens.ts';
import type { TestServer } from '../support/server.ts';

describe('the queue, in rarer states', () => {
  const at = atQueue();
  const { server, arrive, write, create } = at;

  it('without Background Sync it leaves when the app is opened again', async () => {
    await at.visitor.context.addInitScript('delete ServiceWorkerRegistration.prototype.sync');
    const page = await arrive();
    await write(page, 'No sync here');
    await at.visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await page.close();
    await at.visitor.context.setOffline(false);
    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([]);

    const next = await at.visitor.context.newPage();
    await next.goto('/');
    expect(await untilSealed(server.deps, at.ada.user.id)).toEqual([
      { title: 'No sync here', files: [] },
    ]);
    await next.getByText('“No sync here” has been sealed.').waitFor();
  });

  it('what is discarded without a connection is given up at the server as soon as there is one', async () => {
    const page = await arrive();
    await write(page, 'Second thoughts', [await video(24_000_000)]);
    let parts = 0;
    const second = gate();
    at.proxy.decide = async (method): Promise<Fate> => {
      if (method === 'PATCH') parts += 1;
      if (method === 'PATCH' && parts === 2) await second.pass();
      return 'pass';
    };
    await create(page);
    await second.reached;
    await at.visitor.context.setOffline(true);
    await page.getByText(KEPT).waitFor();
    second.open();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('button', { name: 'Discard Second thoughts' }).click();
    await answer(page, 'Discard “Second thoughts”', 'Discard');
    await page.getByText('Nothing is waiting.').waitFor();
    expect(await countUploads(server.deps.db, { userId: at.ada.user.id })).toBeGreaterThan(0);
    await at.visitor.context.setOffline(false);
    await expect.poll(() => wantedUploads(at.ada)).toEqual([]);
    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([]);
  });

  it('discarding what the account has says so, and whose letters go with it', async () => {
    const page = await arrive();
    await write(page, 'Many hands');
    await page.getByText(/^Saved to your account/).waitFor();
    const [draft] = answerOf(listDrafts, await at.ada.get('/api/drafts')).drafts;
    await new Writer(server.url, await newLink(at.ada, draft?.id ?? '')).save(0);
    await page.getByRole('list', { name: 'Who has added' }).waitFor();
    await at.visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('button', { name: 'Discard Many hands' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard “Many hands”?' });
    await question
      .getByText(/on all your devices as soon as .* What 1 person added goes with it\./)
      .waitFor();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Nothing is waiting.').waitFor();
  });

  /** Those of a discarded draft of the account are kept for a week, in case that it comes back. */
  async function wantedUploads({ user }: SignedIn): Promise<unknown[]> {
    const isOfDraft = and(eq(drafts.id, uploads.draftId), eq(drafts.userId, uploads.userId));
    return server.deps.db
      .select({ id: uploads.id })
      .from(uploads)
      .leftJoin(drafts, isOfDraft)
      .where(and(eq(uploads.userId, user.id), isNull(drafts.gone)));
  }

  it('a session that ends in the middle is taken up after the next sign-in', async () => {
    const page = await arrive();
    const file = await video(22_000_000);
    await write(page, 'Two sessions', [file]);
    const places = watchAppended(server.deps.files);
    let parts = 0;
    at.proxy.decide = async (method): Promise<Fate> => {
      if (method === 'PATCH') parts += 1;
      if (method === 'PATCH' && parts === 3) await endSessions(server, at.ada);
      return 'pass';
    };
    await create(page);
    await page.getByText('Please sign in again. Your unsent capsules').waitFor();
    await page.waitForURL('/');
    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([]);

    await signInByForm(page, { email: at.ada.user.email, password: at.ada.password });
    expect(await untilSealed(server.deps, at.ada.user.id)).toEqual([
      { title: 'Two sessions', files: [sha256(file.bytes)] },
    ]);
    expect(parts).toBeLessThanOrEqual(Math.ceil(file.bytes.length / PART_BYTES) + 1);
    expect(places().filter((at) => at === 0)).toHaveLength(1);
  });

  it('where service workers are blocked the app works, and the page sends', async () => {
    await at.visitor.close();
    at.visitor = await at.open({ baseURL: at.proxy.url });
    const { page } = at.visitor;
    await signInByForm(page, { email: at.ada.user.email, password: at.ada.password });
    await write(page, 'No worker');
    await at.visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await at.visitor.context.setOffline(false);
    expect(await untilSealed(server.deps, at.ada.user.id)).toEqual([
      { title: 'No worker', files: [] },
    ]);
    expect(at.visitor.problems.filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
  });

  it('keeps one thing that was shared and not added, and nothing from another site', async () => {
    const page = await arrive();
    await share(page, [await photo('First.jpg')]);
    await page.getByText('First.jpg').waitFor();
    await share(page, [await photo('Second.jpg')]);
    await page.getByText('Second.jpg').waitFor();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('heading', { name: 'Unfinished draft', exact: true }).waitFor();
    await page.getByText('Shared with you, not added yet').waitFor();
    await page.getByRole('link', { name: 'Continue At the lake' }).click();
    await page.getByRole('button', { name: "Don't add" }).click();
    await page.getByLabel('Capsule Title').waitFor();
    expect((await at.visitor.kept()).includes('Second.jpg')).toBe(false);

    await share(page, [], { length: 1_000_001 });
    await page.getByText(NOT_SAVED).waitFor();

    const elsewhere = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end('<!doctype html><title>Elsewhere</title>');
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/`);
    await share(page, [await photo('Third.jpg')], { address: `${at.proxy.url}/share` });
    await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
    expect((await at.visitor.kept()).includes('Third.jpg')).toBe(false);
    elsewhere.close();
    elsewhere.closeAllConnections();
  });

  it('what is shared where nobody is signed in, or nothing can be kept, is asked for again', async () => {
    const { page } = at.visitor;
    await page.goto('/auth');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await share(page, [await photo()]);
    await page
      .getByText("We couldn't save what you shared because you aren't signed in.")
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth');
    await arrive();
    // A device that could not note whose it is.
    await page.goto('/healthz');
    await page.evaluate(FORGET_PERSON);
    await share(page, [await photo()]);
    await page.getByText(NOT_SAVED).waitFor();
    // The server says who this is, and the device notes it again.
    await expect
      .poll(() => page.evaluate<boolean>('nameOfDatabase().then(() => true, () => false)'))
      .toBe(true);
    await page.evaluate(NEWER);
    await share(page, [await photo()]);
    await page.getByText(NOT_SAVED).waitFor();
    await page.getByRole('heading', { name: 'Nothing can be saved here' }).waitFor();
  });
});

const NOT_SAVED = "We couldn't save what you shared. Please try again, or share less of it.";

const FORGET_PERSON = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('time-capsule-device');
  opening.onerror = reject;
  opening.onsuccess = () => {
    const change = opening.result.transaction('device', 'readwrite');
    change.objectStore('device').delete('session');
    change.onerror = reject;
    change.oncomplete = () => resolve(opening.result.close());
  };
})`;

/** A newer version of the app has used the database: this one can keep nothing in it. */
const NEWER = `nameOfDatabase().then((name) => new Promise((resolve, reject) => {
  const newer = indexedDB.open(name, 1_000);
  newer.onerror = reject;
  newer.onsuccess = () => resolve(newer.result.close());
}))`;

async function endSessions({ deps }: TestServer, { user }: SignedIn): Promise<void> {
  await deps.db.delete(sessions).where(eq(sessions.userId, user.id));
}
