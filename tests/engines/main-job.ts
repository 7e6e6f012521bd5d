import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { photo, sha256 } from '../support/fixtures.ts';
import { sealedBy } from '../support/ledger.ts';
import { rare } from '../support/rare.ts';
import { onDisk } from '../support/screens.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startWire, type Wire } from '../support/wire.ts';
import { type Engine, field, pressable, untilFound, untilShown } from './engine.ts';

const PASSWORD = 'correct horse';
const MESSAGE = 'When you read this, the lake is frozen.';

const INSTALLED = `navigator.serviceWorker.getRegistration()
  .then((registration) => registration?.active?.state === 'activated')`;

/** Tests the main job and the offline job in an engine. In a file for each: both run at once. */
export function testMainJob(name: string, start: () => Promise<Engine>): void {
  describe(`in ${name}`, () => {
    const server = sharedServer({ client: true });
    let engine: Engine;
    let wire: Wire;
    let email: string;
    let people = 0;

    beforeEach(async () => {
      people += 1;
      email = `ada-${people}@example.org`;
      server.clock.set(new Date());
      wire = await startWire(server.url);
      engine = await start();
    });
    afterEach(async () => {
      await engine.close();
      await wire.close();
    });

    async function register(): Promise<void> {
      await engine.goto(wire.url);
      await engine.click(pressable('Register'));
      await engine.type(field('Name'), `Ada ${people}`);
      await engine.type(field('Email'), email);
      await engine.type(field('Password'), PASSWORD);
      await engine.click(pressable('Create Account'));
      await untilShown(engine, 'Account created successfully!');
      // WebKit never finishes the install of a worker whose page is left meanwhile.
      await until(async () => (await engine.evaluate(INSTALLED)) || null, { seconds: 30 });
    }

    async function signIn(): Promise<void> {
      await engine.goto(`${wire.url}/auth`);
      await engine.type(field('Email'), email);
      await engine.type(field('Password'), PASSWORD);
      await engine.click(`document.querySelector('main form button[type=submit]')`);
      await untilShown(engine, 'Time Capsule Dashboard');
    }

    /** A capsule to oneself, for a year. */
    async function write(title: string): Promise<void> {
      await engine.click(pressable('Create New Capsule'));
      await engine.type(field('Capsule Title'), title);
      await engine.type(field('Description'), 'Written in another engine');
      await engine.click(pressable('Recipient'));
      await engine.type(
        `document.querySelector('dialog[open] input[type=search]')`,
        `Ada ${people}`,
      );
      await engine.click(`document.querySelector('dialog[open] form button')`);
      await engine.click(pressable(email));
      await engine.click(pressable('Confirm Selection (1)'));
      await engine.click(pressable('1 year'));
      await engine.click(pressable('Message'));
      await engine.type(field('Personal Message'), MESSAGE);
    }

    async function addPhoto() {
      const picture = await photo('Lake.jpg');
      const [path = ''] = await onDisk([picture]);
      await engine.click(pressable('Content'));
      await engine.pick(`document.querySelector('input[type=file]')`, path);
      await untilShown(engine, '1 File(s) Selected');
      return picture;
    }

    const create = () => engine.click(pressable('Create Time Capsule'));
    const sealed = async () => {
      const user = await server.deps.db.query.users.findFirst({
        where: (users, { eq }) => eq(users.email, email),
      });
      return sealedBy(server.deps, user?.id ?? '');
    };

    rare('a capsule is sealed, tells nothing until its day, and then opens', async () => {
      await register();
      await signIn();
      await write('The winter of the lake');
      await create();
      await untilShown(engine, 'Time capsule created successfully!');
      await untilFound(engine, `document.querySelector('dialog[data-rests]')`);
      await engine.click(pressable('Done'));
      await engine.click(pressable('View details'));
      await untilShown(engine, 'This capsule is still locked.');
      expect(await engine.evaluate('document.body.innerText')).not.toContain(MESSAGE);

      // After a year the session has ended.
      server.clock.advance({ days: 367 });
      await engine.reload();
      await untilFound(engine, "location.pathname === '/'");
      // Signing in leads back to the capsule that was looked at.
      await signIn();
      await engine.click(pressable('Press to open'));
      await untilShown(engine, MESSAGE);
      expect(engine.problems).toEqual([]);
    });

    it('a capsule sealed with the server away survives a new start and leaves once', async () => {
      await register();
      await signIn();
      await write('From the train');
      const picture = await addPhoto();
      await untilShown(engine, 'Saved to your account');
      await engine.reload();
      await engine.click(pressable('Content'));
      await untilShown(engine, 'Lake.jpg');
      const title = `(${field('Capsule Title')})?.value`;
      await until(async () => (await engine.evaluate(title)) === 'From the train' || null);

      wire.down();
      await create();
      await untilShown(engine, '“From the train” is waiting to be sent.');
      await engine.goto(`${wire.url}/outbox`);
      await untilShown(engine, 'From the train');
      expect(await sealed()).toEqual([]);

      wire.up();
      await untilShown(engine, 'Nothing is waiting.', 60);
      expect(await sealed()).toEqual([{ title: 'From the train', files: [sha256(picture.bytes)] }]);
      expect(engine.problems).toEqual([]);
    });
  });
}
