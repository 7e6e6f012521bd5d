import { inTurn, median, sameRow } from '../support/measure.mjs';
import { capsuleFor, signUp } from '../support/person.mjs';
import { sendCapsule } from '../support/transfer.mjs';

/** Capsules in a round, for each of the two. One person may seal 120 in a minute. */
const CALLS = 40;

/**
 * What whoever is blocked could time: sealing for somebody who has blocked them, and the details
 * afterwards, against the same for somebody who has not.
 */
export async function blocks({ rounds, server, database }) {
  const blocker = await signUp(server.port, 'blocker', '198.51.100.1');
  const other = await signUp(server.port, 'other', '198.51.100.2');
  const senders = [];
  // One for each round, and for the warm-up.
  for (let number = 0; number <= rounds; number += 1) {
    const sender = await signUp(server.port, `sender-${number}`, `198.51.100.${number + 3}`);
    const { id } = await sender.call('GET', '/user/me');
    await blocker.call('PUT', `/user/blocked/${id}`, {});
    senders.push(sender);
  }
  await database.settle();

  const seal = (recipient) => {
    const left = [...senders];
    recipient.sealed = [];
    return async () => {
      const sender = left.shift();
      const headers = sender.headers();
      const capsule = { ...capsuleFor(recipient.email), notifyRecipient: true };
      const ids = [];
      const ms = await medianMs(async () => {
        const { body } = await sendCapsule(server.port, { headers, capsule, bytes: 1_000 });
        ids.push(JSON.parse(body).id);
      });
      recipient.sealed.push({ sender, ids });
      return ms;
    };
  };
  const look = (recipient) => () => {
    const { sender, ids } = recipient.sealed.shift();
    return medianMs(() => sender.call('GET', `/api/capsules/${ids.pop()}`));
  };

  const seals = await inTurn(rounds, seal(blocker), seal(other));
  const looks = await inTurn(rounds, look(blocker), look(other));
  return [
    sameRow('Sealing for somebody who has blocked you', 'ms', seals, 0.1),
    sameRow('Details of such a capsule', 'ms', looks, 0.1),
  ];
}

/** @returns the median of so many calls, one after the other, in milliseconds */
async function medianMs(call) {
  const times = [];
  for (let number = 0; number < CALLS; number += 1) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return median(times);
}
