import { randomBytes, randomUUID } from 'node:crypto';
import { FILM_HEAD } from '../support/film.mjs';
import { capsuleFor } from '../support/person.mjs';
import { capsuleForm, draftContent } from './honest.mjs';

/** Each is bounded: it ends by itself, if the one who measures doesn't end it before. */
const ROUNDS = 1_000;
const MEGABYTE = 1_048_576;
const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const forAll = (many, work) => Promise.all(many.map(work));

const writerHeaders = (token, secret = newSecret()) => ({
  ...(token && { 'Contribution-Token': token }),
  'Contribution-Secret': secret,
});
const newSecret = () => randomBytes(32).toString('base64url');

/**
 * What strangers, and people who mean harm, do to a server. Each prepares what it needs with calls
 * that are allowed, and gives what it does then, for as long as it is let.
 */
export const ATTACKS = {
  'The document of the API, eight at once and 300 in one instant': async ({ client, again }) => {
    const eight = await client();
    const call = eight.headOf('GET', '/api/openapi.json', {}, 'keep-alive');
    return async () => {
      for (let count = 0; count < 60; count += 1) eight.write(call.repeat(5));
      await forAll(numbers(8), () =>
        again(ROUNDS, 0, () => eight.call('GET', '/api/openapi.json')),
      );
    };
  },

  'Lists and exports of three capsules with 50 long letters each': async (world) => {
    const eve = await world.person();
    const letter = `x${'\u0001'.repeat(49_999)}`;
    for (let count = 0; count < 3; count += 1) {
      const draft = await newDraft(world, eve);
      const guest = await world.client(1 + count, 1);
      for (let number = 0; number < 50; number += 1) {
        await addLetter(guest, { token: draft.token, letter });
      }
      const seen = { id: draft.id, revision: draft.revision };
      const form = await capsuleForm(
        { ...capsuleFor(eve.email), draft: seen },
        await film(1_000),
        'video/mp4',
      );
      const { json } = await world.done(eve.call('POST', '/api/capsules', form));
      await world.unlock(json.id);
    }
    return () =>
      forAll(['created?limit=50', 'received?limit=50', 'created?limit=50'], (list) =>
        world.again(ROUNDS, 50, () => eve.call('GET', `/api/capsules/${list}`)),
      );
  },

  'Guesses on a device that registered the address first': async (world) => {
    const thief = await world.person();
    const login = { json: { email: thief.email, password: 'a guess' } };
    return () =>
      forAll(numbers(4), () =>
        world.again(ROUNDS, 20, () => thief.call('POST', '/auth/login', login)),
      );
  },

  '102 parts of files that one account sends slowly': async (world) => {
    const eve = await world.person();
    const { token } = await newDraft(world, eve);
    const guests = [await world.client(1, 1), await world.client(2, 1)];
    const slow = [];
    for (let count = 0; count < 34; count += 1) {
      const guest = guests[count % 2];
      const files = numbers(3).map((number) => ({
        ...{ id: randomUUID(), name: `${number}.mp4`, type: 'video/mp4', bytes: MEGABYTE },
      }));
      const added = await addLetter(guest, { token, files });
      const headers = writerHeaders(null, added.secret);
      for (const { id, name, bytes } of files) {
        const path = `${added.path}/uploads/${id}`;
        await guest.call('POST', path, { json: { fileName: name, bytes }, headers });
        slow.push({ guest, path, headers });
      }
    }
    return async () => {
      const sockets = slow.map(({ guest, path, headers }) => {
        const part = { 'Content-Type': 'application/partial-upload', 'Upload-Offset': '0' };
        const rest = { ...headers, ...part, 'Content-Length': String(MEGABYTE) };
        return guest.write(
          Buffer.concat([Buffer.from(guest.headOf('PATCH', path, rest)), FILM_HEAD]),
        );
      });
      await drip(world, sockets);
    };
  },

  '40 letters that 20 visitors without a link send slowly': async (world) => {
    const visitors = await forAll(numbers(20), (host) => world.client(host + 1));
    return async () => {
      const sockets = visitors.flatMap((visitor) =>
        numbers(2).map(() => visitor.write(`${letterHead(visitor, 20_000)}{`)),
      );
      await drip(world, sockets);
    };
  },

  '42 drafts that 21 accounts send slowly': async (world) => {
    const people = [];
    for (const host of numbers(21)) people.push(await world.person(host + 1));
    return async () => {
      const sockets = people.flatMap((person) =>
        numbers(2).map(() => {
          const body = { 'Content-Type': 'application/json', 'Content-Length': '20000' };
          return person.write(`${person.headOf('PUT', `/api/drafts/${randomUUID()}`, body)}{`);
        }),
      );
      await drip(world, sockets);
    };
  },

  '880 letters of 300 KB, sent but for the end': async (world) => {
    const visitors = await forAll(numbers(40), (host) => world.client(host + 1));
    return async () => {
      const rest = Buffer.alloc(300_000, 'a');
      const sockets = [];
      for (const visitor of visitors) {
        for (let count = 0; count < 22; count += 1) {
          sockets.push(
            visitor.write(Buffer.concat([Buffer.from(letterHead(visitor, 399_999)), rest])),
          );
        }
        await world.pause(20);
      }
      await drip(world, sockets);
    };
  },

  'Passkeys that are none, by visitors and by a session': async (world) => {
    const thief = await world.person();
    const visitors = await forAll(numbers(10), (host) => world.client(host + 1, 1));
    const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
    const junk = {
      ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
      response: { ...response, userHandle: null },
    };
    return () =>
      forAll([thief, ...visitors], (one) =>
        world.again(ROUNDS, 20, () =>
          one === thief
            ? one.call('DELETE', '/user/sessions', { json: { password: junk } })
            : one.call('POST', '/auth/passkey', { json: junk }),
        ),
      );
  },

  'The link of a draft of 1.8 MB, opened from ten addresses': async (world) => {
    const eve = await world.person();
    const { token } = await newDraft(world, eve, largeDraft());
    const visitors = await forAll(numbers(10), (host) => world.client(host + 1, 1));
    const headers = writerHeaders(token);
    return () =>
      forAll(visitors, (one) =>
        world.again(ROUNDS, 60, () => one.call('GET', '/api/contribution-link', { headers })),
      );
  },

  'Lists of two drafts of 1.8 MB, four at once': async (world) => {
    const eve = await world.person();
    await newDraft(world, eve, largeDraft());
    await newDraft(world, eve, largeDraft());
    return () =>
      forAll(numbers(4), () =>
        world.again(ROUNDS, 0, () => eve.call('GET', '/api/drafts?since=0')),
      );
  },

  'Letters of 150 KB beyond the storage of who asks for them': async (world) => {
    const eve = await world.person();
    const letter = '漢'.repeat(50_000);
    const drafts = [];
    for (let count = 0; count < 8; count += 1) drafts.push(await newDraft(world, eve));
    return async () => {
      for (const [net, { token }] of drafts.entries()) {
        const guest = await world.client(1, 1 + net);
        for (let count = 0; count < 50; count += 1) await addLetter(guest, { token, letter });
      }
    };
  },

  '60 registrations at the domain of others': async (world) => {
    const visitors = await forAll(numbers(4), (host) => world.client(host + 1));
    const register = (number) => {
      const email = `nobody-${number}@${ATTACKED_DOMAIN}`;
      const json = { name: 'Nobody', email, password: 'abcdef' };
      return visitors[number % visitors.length].call('POST', '/auth/register', { json });
    };
    await forAll(numbers(60), register);
    return () => world.again(ROUNDS, 500, (count) => register(60 + count));
  },

  '50 reports by five accounts': async (world) => {
    const reporters = [];
    for (const host of numbers(5)) reporters.push(await world.person(host + 1));
    const reported = [];
    for (const host of numbers(10)) {
      const person = await world.person(host + 1, 1);
      reported.push((await person.call('GET', '/user/me')).json.id);
    }
    return () =>
      forAll(reporters, (reporter) =>
        world.again(ROUNDS, 50, (count) => {
          const json = { userId: reported[count % 10], reason: 'spam', text: 'x' };
          return reporter.call('POST', '/api/reports', { json });
        }),
      );
  },

  'Files announced by a link, again and again, and never sent': async (world) => {
    const eve = await world.person();
    const { token } = await newDraft(world, eve);
    const guest = await world.client(1, 1);
    return () =>
      world.again(ROUNDS, 20, async () => {
        const file = { id: randomUUID(), name: 'b.mp4', type: 'video/mp4', bytes: 19 * MEGABYTE };
        const added = await addLetter(guest, { token, files: [file] });
        const headers = writerHeaders(null, added.secret);
        const json = { fileName: file.name, bytes: file.bytes };
        await guest.call('POST', `${added.path}/uploads/${file.id}`, { json, headers });
        await guest.call('DELETE', added.path, { headers });
      });
  },

  '120 downloads of 40 MB that one person never reads': async (world) => {
    const eve = await world.person();
    const form = await capsuleForm(capsuleFor(eve.email), await film(40 * MEGABYTE), 'video/mp4');
    const { json } = await world.done(eve.call('POST', '/api/capsules', form));
    await world.unlock(json.id);
    const details = await world.done(eve.call('GET', `/api/capsules/${json.id}`));
    const path = `/api/capsules/download/${details.json.fileInfo[0].fileId}`;
    return async () => {
      for (let count = 0; count < 120; count += 1) {
        eve.write(eve.headOf('GET', path), { isRead: false });
      }
      await world.pause(ATTACK_MS);
    };
  },

  '1,500 connections of 15 addresses, 100 pipelined calls each, cut': async (world) => {
    const visitors = await forAll(numbers(15), (host) => world.client(host + 1));
    const bytes = visitors[0].headOf('GET', '/', {}, 'keep-alive').repeat(100);
    return async () => {
      for (const visitor of visitors) {
        for (let count = 0; count < 100; count += 1) {
          const socket = visitor.write(bytes);
          socket.once('connect', () => setTimeout(() => socket.resetAndDestroy(), 3));
        }
      }
      await world.pause(ATTACK_MS);
    };
  },
};

/** Where honest people register while others register there, too. */
export const ATTACKED_DOMAIN = 'school.example';

/** Nothing is attacked for longer. */
export const ATTACK_MS = 60_000;

async function newDraft({ done }, by, content = draftContent()) {
  const id = randomUUID();
  const saved = await done(by.call('PUT', `/api/drafts/${id}`, { json: { base: 0, content } }));
  const path = `/api/drafts/${id}/contribution-link`;
  const link = await done(by.call('POST', path, { json: { words: 'Please' } }));
  return { id, revision: saved.json.revision, token: link.json.token };
}

/** As an older app leaves it on two devices that write in one letter, without each other. */
function largeDraft() {
  const writtenAt = new Date().toISOString();
  const versions = numbers(8).map((id) => ({
    ...{ id, writtenOn: 'Chromium on Linux', writtenAt },
    fields: { personalMessage: 'y'.repeat(199_000) },
  }));
  return { ...draftContent('x'.repeat(200_000)), otherVersions: versions };
}

async function addLetter(guest, { token, letter = 'words', files = [] }) {
  const secret = newSecret();
  const path = `/api/contributions/${randomUUID()}`;
  const json = { base: 0, name: 'Guest', letter, files };
  await guest.call('PUT', path, { json, headers: writerHeaders(token, secret) });
  return { path, secret };
}

const letterHead = (visitor, length) =>
  visitor.headOf('PUT', `/api/contributions/${randomUUID()}`, {
    ...writerHeaders('x'),
    ...{ 'Content-Type': 'application/json', 'Content-Length': String(length) },
  });

async function film(bytes) {
  return Buffer.concat([FILM_HEAD, randomBytes(bytes - FILM_HEAD.length)]);
}

/** A few bytes now and then: none of them is idle. */
function drip({ again }, sockets) {
  return again(ATTACK_MS / 5_000, 5_000, () => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(' ');
  });
}
