import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findOrInstall, findProgram } from '../../scripts/find/find-program.mjs';
import { signUp } from '../support/person.mjs';
import { twice } from './provider.mjs';
import { create } from './sender.mjs';

const AHEAD_S = 300;
const WATCHED_MS = 45_000;
/** Fewer notices than a person gets in an hour, each with an email of its own. */
const CAPSULES = 4;
const TOLD_WITHIN_MS = 120_000;

/** For `startWorld`: the clock of the second server is five minutes ahead. */
export function clocksApart() {
  const wrapper = findOrInstall(
    () => findProgram(['faketime']),
    ['faketime'],
    'No faketime was found. Install it (Debian: apt-get install faketime).',
  );
  // The loader knows the architecture's folder.
  const library = join(dirname(wrapper), '../$LIB/faketime/libfaketime.so.1');
  return [{}, { LD_PRELOAD: library, FAKETIME: `+${AHEAD_S}`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }];
}

/**
 * Watches capsules that open by the clock of one server, and then by that of the other, on both.
 * @returns lines of the table, and what has been sent
 */
export async function clocks({ url, port, servers, postgres }, provider) {
  const writer = await signUp(port, 'writer');
  const reader = await signUp(port, 'reader');
  const titles = [];
  for (const aheadMs of [0, AHEAD_S * 1_000]) {
    for (let number = 0; number < CAPSULES; number += 1) {
      const title = `Opens ${aheadMs / 1000} s later, ${number}`;
      const { json } = await create(url, writer, { title, recipientEmails: [reader.email] });
      const unlockAt = new Date(Date.now() + aheadMs + 15_000 + number * 3_000);
      await opensAt(postgres.sql, json.id, unlockAt);
      titles.push(title);
    }
  }
  const seen = [];
  const until = Date.now() + WATCHED_MS;
  while (Date.now() < until) {
    for (const [index, server] of servers.entries()) {
      const aheadMs = index * AHEAD_S * 1_000;
      for (const [person, list] of [
        [writer, 'created'],
        [reader, 'received'],
      ]) {
        seen.push(...(await look(server, person, `/api/capsules/${list}?limit=50`, aheadMs)));
      }
    }
    await pause(200);
  }
  const opened = seen.filter(({ locked }) => !locked);
  // An opened capsule says so in each later answer of the same server.
  const shut = seen.filter(
    (one) =>
      one.locked && opened.some((other) => isSame(one, other) && other.answeredAt <= one.askedAt),
  );
  const notices = titles.length * 2;
  const toldUntil = Date.now() + TOLD_WITHIN_MS;
  while (provider.told.size < notices && Date.now() < toldUntil) await pause(500);
  const early = Math.max(...opened.map(({ unlockAt, answeredAt }) => unlockAt - answeredAt));
  return {
    titles,
    lines: [
      ['How far the second clock is ahead', `${AHEAD_S} s`, ''],
      ['Capsules seen in lists, on both servers', String(seen.length), 'more than 0'],
      ['… open before the day by the clock of that server', String(count(opened, isEarly)), '0'],
      ['… locked after the day by the clock of that server', String(count(seen, isLate)), '0'],
      ['… locked again after they were open there', String(shut.length), '0'],
      [
        'Earliest opening, before the day by the right clock',
        `${Math.round(early / 1000)} s`,
        `at most ${AHEAD_S} s`,
      ],
      ['"It has opened", each to two people', String(provider.told.size), String(notices)],
      ['… told twice', String(twice(provider)), '0'],
    ],
  };
}

/** No call can set the second at which a capsule opens. */
async function opensAt(sql, id, unlockAt) {
  const day = unlockAt.toISOString().slice(0, 10);
  await sql`update capsules set unlock_at = ${unlockAt}, date_to_unlock = ${day} where id = ${id}`;
  await sql`update capsule_recipients set unlock_at = ${unlockAt}, date_to_unlock = ${day}
    where capsule_id = ${id}`;
}

async function look(server, person, path, aheadMs) {
  const askedAt = Date.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: person.headers(),
  });
  const { capsules } = await answer.json();
  const answeredAt = Date.now();
  return capsules.map(({ id, locked, unlockAt }) => ({
    id,
    locked,
    aheadMs,
    askedAt,
    answeredAt,
    unlockAt: Date.parse(unlockAt),
  }));
}

const isEarly = ({ answeredAt, aheadMs, unlockAt }) => answeredAt + aheadMs < unlockAt;
const isLate = ({ locked, askedAt, aheadMs, unlockAt }) => locked && askedAt + aheadMs > unlockAt;
const isSame = (one, other) => one.id === other.id && one.aheadMs === other.aheadMs;
const count = (all, matches) => all.filter(matches).length;
