import { expect, it } from 'vitest';
import { type Chance, chanceOf } from '../support/chance.ts';
import type { Sealed } from '../support/ledger.ts';
import {
  arrive,
  expectExactly,
  hurryUntilSent,
  proofWorld,
  queueCapsule,
} from '../support/proof-world.ts';
import type { Asked, Fault } from '../support/wire.ts';

/*
 * The client's own code in a real browser, against a line that keeps breaking. The capsules are
 * put into the outbox directly, as the create screen does; from there on all is the app's own.
 */
const world = proofWorld();

/** How many capsules; `npm run proofs -- --creates 5000`. */
const CREATES = Number(process.env.PROOFS_CREATES ?? 50);
const AT_ONCE = 25;
/** Of the requests, those that something happens to. */
const FAULTY_SHARE = 0.3;

it(
  `${CREATES} capsules over a line that drops answers, cuts and resets: each exactly once`,
  async () => {
    const chance = chanceOf('many creates');
    const { wire, ada } = world;
    const { page } = world.visitor;
    await arrive(page, ada);
    // A page that asks for nothing of its own while the queue moves.
    await page.getByRole('link', { name: 'Help Center' }).click();
    const expected: Sealed[] = [];
    wire.plan = (asked) => faultFor(asked, chance);
    while (expected.length < CREATES) {
      const upTo = Math.min(CREATES, expected.length + AT_ONCE);
      while (expected.length < upTo) {
        const number = expected.length + 1;
        const title = `Capsule ${String(number).padStart(5, '0')}`;
        const fileBytes = chance.oneOf([[], [], [2_000], [90_000], [40_000, 70_000]]);
        const files = await queueCapsule(page, {
          ...{ userId: ada.user.id, email: ada.user.email, title, fileBytes, seed: number },
          dateToUnlock: '2099-01-01',
        });
        expected.push({ title, files });
      }
      await hurryUntilSent(page);
    }
    wire.plan = () => null;
    await expectExactly(world, ada, expected);
    expect(wire.met.length).toBeGreaterThan(CREATES / 10);
  },
  300_000 + CREATES * 4_000,
);

function faultFor({ method, path }: Asked, chance: Chance): Fault | null {
  const isOurs = path.startsWith('/api/') || path === '/user/me';
  if (!isOurs || !chance.happens(FAULTY_SHARE)) return null;
  const where = chance.whole(1, 4);
  if (where === 1) return { kind: 'cut-answer', after: 0 };
  if (where === 2) return { kind: 'cut-answer', after: chance.whole(1, 900) };
  if (where === 3 || method === 'GET') return { kind: 'cut-request', after: chance.whole(1, 700) };
  return { kind: 'cut-request', after: chance.whole(700, 90_000) };
}
