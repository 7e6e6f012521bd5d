import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAdded } from '../../shared/api/contributions.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { newDraft, newLink } from '../support/contributions.ts';
import { photo } from '../support/fixtures.ts';
import { onDisk } from '../support/screens.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startWire, type Wire } from '../support/wire.ts';
import { type Engine, field, pressable, untilShown } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

const LETTER = 'You were so small.';

/** The page on which others add, over its whole way. */
describe.each([
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit],
])('in %s', (name, start) => {
  const server = sharedServer({ client: true });
  let anna: SignedIn;
  let engine: Engine;
  let wire: Wire;
  let draft: string;

  beforeEach(async () => {
    anna = await signUp(server.url, `Anna ${name}`);
    draft = await newDraft(anna);
    wire = await startWire(server.url);
    engine = await start();
  });
  afterEach(async () => {
    await engine.close();
    await wire.close();
  });

  async function added() {
    const list = answerOf(listAdded, await anna.get(`/api/drafts/${draft}/contributions`));
    return list.contributions.map((one) => [one.name, one.hasLetter, one.fileCount]);
  }

  it('a letter with a photo waits while the server is away, outlives the page, and arrives once', async () => {
    await engine.goto(`${wire.url}/add#${await newLink(anna, draft)}`);
    await untilShown(engine, 'Add to “For Mia, 18”');
    await engine.type(field('Your name'), 'Per');
    await engine.type(field('Your letter'), LETTER);
    const [path = ''] = await onDisk([await photo('Lake.jpg')]);
    await engine.pick(`document.querySelector('input[type=file]')`, path);
    await untilShown(engine, '1 File(s) Selected');
    await untilShown(engine, 'Saved in this browser');
    const isCopying = `/Waiting to be copied|Copying/.test(document.body.innerText)`;
    await until(async () => !(await engine.evaluate<boolean>(isCopying)) || null);

    await engine.reload();
    const letter = `(${field('Your letter')})?.value`;
    await until(async () => (await engine.evaluate(letter)) === LETTER || null);
    wire.down();
    await engine.click(pressable('Send it to Anna'));
    // The device itself believes that it is online.
    await untilShown(engine, 'Waiting to be sent');
    expect(await added()).toEqual([]);

    wire.up();
    await untilShown(engine, 'Nobody can read it before the day, not even Anna.', 60);
    expect(await added()).toEqual([['Per', true, 1]]);
    expect(engine.problems).toEqual([]);
  });
});
