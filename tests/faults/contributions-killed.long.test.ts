import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fsck } from '../../server/operator/fsck.ts';
import { getContribution } from '../../shared/api/contributions.ts';
import { chanceOf } from '../support/chance.ts';
import { type Answer, answerOf, type SignedIn, signUp } from '../support/client.ts';
import { namedFile, newDraft, newLink, sealDraft, Writer } from '../support/contributions.ts';
import { freePort } from '../support/server.ts';
import { createDataDirectory } from '../support/server-process.ts';

/** `CONTRIBUTION_KILLS=200` for the long run. */
const KILLS = Number(process.env.CONTRIBUTION_KILLS ?? 5);
const WRITERS = 6;
const TRY_AGAIN_MS = 100;

/** Asks until the server has answered, over its death and its next start. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(() => null);
    // While it starts, or its database comes back, it says to try again.
    if (answer && answer.status < 500) return answer;
    await delay(TRY_AGAIN_MS);
  }
}

test(`${KILLS} kills while six people add and the capsule is sealed: each part is in once, or its writer is told`, {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  const chance = chanceOf('contributions killed');
  const data = await createDataDirectory();
  onTestFinished(() => data.remove());
  const start = { PORT: String(await freePort()), TRUST_PROXY: '1' };
  let server = data.start(start);
  const url = await server.ready();
  let anna: SignedIn = await signUp(url, 'anna');
  let files = 0;
  let inTime = 0;
  let late = 0;

  for (let kill = 1; kill <= KILLS; kill += 1) {
    // The capsules that one person can send to another in a day are fewer.
    if (kill % 100 === 0) anna = await signUp(url, `anna-${kill}`);
    const draft = await newDraft(anna);
    const token = await newLink(anna, draft);
    // Each from an address of their own.
    const from = (at: number) => ({ 'x-forwarded-for': `10.${kill % 200}.0.${at + 1}` });
    const writers = Array.from({ length: WRITERS }, (_, at) => new Writer(url, token, from(at)));
    const killed = (async () => {
      await delay(chance.whole(0, 600, 'killed after'));
      server.kill('SIGKILL');
      await server.exited;
      server = data.start(start);
      await server.ready();
    })();
    const sealing = (async () => {
      await delay(chance.whole(0, 3_000, 'sealed after'));
      return untilAnswered(() => sealDraft(anna, draft));
    })();
    const told = await Promise.all(
      writers.map(async (writer, at) => {
        const pdf = {
          name: `${at}.pdf`,
          type: 'application/pdf',
          bytes: Buffer.from(`%PDF-1.4 ${randomUUID()}`),
        };
        const named = namedFile(pdf);
        const saved = await untilAnswered(() =>
          writer.put(0, { name: `Writer ${at}`, files: [named] }),
        );
        if (saved.status === 200) {
          await untilAnswered(() => writer.start(named));
          await untilAnswered(() => writer.send(named, pdf.bytes));
        }
        return saved.status;
      }),
    );
    await killed;
    expect((await sealing).status).toBe(201);
    // A repeat has the same answer, and makes nothing.
    expect((await sealDraft(anna, draft)).status).toBe(201);

    for (const [at, writer] of writers.entries()) {
      const answer = await untilAnswered(() => writer.request('GET', writer.path));
      if (answer.status === 404) {
        // Not in: its writer was told so, and has it still.
        expect([told[at], answer.status]).toEqual([409, 404]);
        late += 1;
        continue;
      }
      const own = answerOf(getContribution, answer);
      if (own.state !== 'sealed') throw new Error(`It is ${own.state} after the seal.`);
      inTime += 1;
      files += own.arrived.length;
    }
  }
  server.kill('SIGTERM');
  await server.exited;
  const checked = await fsck({ DATA_DIR: data.path });
  console.log(
    `${KILLS} kills: ${inTime} in, with ${files} files; ${late} told that they came too late`,
  );
  // Each file that its writer was told of is there once, and no other one is.
  expect([checked.ok, checked.lines.join(' ')]).toEqual([
    true,
    expect.stringMatching(new RegExp(`^${files} files? checked`)),
  ]);
});
