import { randomUUID } from 'node:crypto';
import { capsuleRecipients, capsules, users } from '../../server/db/schema.ts';
import { answerStillYours } from '../../server/domain/accounts/address-check.ts';
import { confirmAddress } from '../../server/domain/accounts/address-links.ts';
import { changeAddress } from '../../server/domain/accounts/addresses.ts';
import { getCurrentUser } from '../../server/domain/accounts/profile.ts';
import { listOpened, markSeen } from '../../server/domain/capsules/opened.ts';
import { queueWaitingNotices } from '../../server/domain/emails/queue.ts';
import { DAY_MS } from '../../shared/limits.ts';
import type { Chance } from '../support/chance.ts';
import type { Host } from './host.ts';
import { type Death, lifetimeDays, type Mailboxes, type Received } from './mailboxes.ts';

/** What is assumed about people; `docs/scale.md` says it in words. */
export const ASSUMED = {
  addressesDieAYear: 0.15,
  /** Of dead addresses: they refuse. The others take everything and are read by nobody. */
  bounce: 0.8,
  /** Of people: they give a second address. */
  haveSecond: 0.6,
  /** Of changes of address: it is told us before the old one dies. */
  tellInTime: 0.5,
  visitsAYear: 1,
  /** Of people: they never come back two years after they came. */
  leave: 0.1,
  /** Of those who are asked whether their address is still theirs, and it is: they say so. */
  answer: 0.5,
  /** Of those who learn in the app or by email that their address is dead: they give another one. */
  mend: 0.8,
  /** Of those who read that something has opened: they come within three days. */
  come: 0.7,
  capsulesEach: 3,
  secondRecipient: 0.3,
  notify: 0.8,
  yearsSealed: [1, 10],
} as const;

export interface Person {
  id: string;
  main: string;
  second: string | null;
  /** The day from which on they never come again. */
  leavesOn: number;
}

/** A capsule for one of its recipients. */
export interface Place {
  capsuleId: string;
  title: string;
  creator: Person;
  recipient: Person;
  opensOn: number;
  /** What was true on the day it opened. */
  hadLivingChannel: boolean | null;
  /** The day on which they read an email about the opening. */
  toldOn: number | null;
  /** The day on which they looked. */
  seenOn: number | null;
}

type Action = (host: Host) => Promise<void> | void;

/** People, what happens to them, and what they do, on days that are drawn in advance. */
export interface Life {
  people: Person[];
  places: Place[];
  /** All that happens on this day. */
  run(host: Host, day: number): Promise<void>;
  /** What has come since, and what people do with it. */
  readMail(host: Host): Promise<void>;
  /**
   * What was told before its day; once more on one address, by a provider that knows keys and by one
   * that doesn't; and more often than that. `failed`: links that did not confirm.
   */
  faults: { early: number; againByKey: number; again: number; more: number; failed: number };
  told: { opened: number; reminders: number; questions: number };
  addressesDied: number;
  changes: number;
  start(host: Host): Promise<void>;
}

const UNLOCK_LAST_DAYS = 70;

export function createLife(
  chance: Chance,
  {
    people: howMany,
    days,
    start,
    mailboxes,
  }: { people: number; days: number; start: Date; mailboxes: Mailboxes },
): Life {
  const plan = new Map<number, Action[]>();
  const at = (day: number, action: Action) => {
    const actions = plan.get(day);
    if (actions) actions.push(action);
    else plan.set(day, [action]);
  };
  const byAddress = new Map<string, Person>();
  const byTitle = new Map<string, Place[]>();
  const byCapsule = new Map<string, Place[]>();
  const times = new Map<string, number>();
  const mail: Received[] = [];
  mailboxes.onReceived = (email) => mail.push(email);
  let today = 0;
  const instant = (day: number) => new Date(start.getTime() + day * DAY_MS);

  const life: Life = {
    people: [],
    places: [],
    faults: { early: 0, againByKey: 0, again: 0, more: 0, failed: 0 },
    told: { opened: 0, reminders: 0, questions: 0 },
    addressesDied: 0,
    changes: 0,
    async start(host) {
      const rows = life.people.map(({ id, main, second }, index) => ({
        id,
        email: main,
        secondEmail: second,
        name: `Person ${index}`,
        passwordHash: 'none',
        emailVerifiedAt: start,
        createdAt: new Date(start.getTime() - chance.whole(0, 365) * DAY_MS),
      }));
      for (let from = 0; from < rows.length; from += 1_000) {
        await host.deps.db.insert(users).values(rows.slice(from, from + 1_000));
      }
    },
    async run(host, day) {
      today = day;
      for (const action of plan.get(day) ?? []) await action(host);
      plan.delete(day);
    },
    async readMail(host) {
      for (const email of mail.splice(0)) await read(host, email);
    },
  };

  function newAddress(person: Person): string {
    const address = mailboxes.open();
    byAddress.set(address, person);
    const dies = today + lifetimeDays(chance, ASSUMED.addressesDieAYear);
    const death: Death = chance.happens(ASSUMED.bounce) ? 'bounces' : 'is silent';
    if (dies > days) return address;
    at(dies, () => {
      mailboxes.end(address, death);
      life.addressesDied += 1;
    });
    if (chance.happens(ASSUMED.tellInTime)) {
      at(Math.max(today + 1, dies - 30), (host) => replace(host, person, address));
    }
    return address;
  }

  /** In the app, with the password; the link in the new address confirms. */
  async function replace(host: Host, person: Person, old: string): Promise<void> {
    const slot = person.main === old ? 'main' : person.second === old ? 'second' : null;
    if (slot === null || today >= person.leavesOn) return;
    const email = newAddress(person);
    life.changes += 1;
    await changeAddress(
      host.deps,
      { userId: person.id, sessionId: '' },
      { slot, email, password: 'none' },
    );
  }

  async function visit(host: Host, person: Person): Promise<void> {
    if (today >= person.leavesOn) return;
    const actor = { userId: person.id };
    const { capsules: ready } = await listOpened(host.deps, actor);
    for (const { id } of ready) {
      await markSeen(host.deps, actor, id);
      for (const place of byCapsule.get(id) ?? []) {
        if (place.recipient === person) place.seenOn ??= today;
      }
    }
    const { emailBounces } = await getCurrentUser(host.deps, actor);
    if (emailBounces && chance.happens(ASSUMED.mend)) await replace(host, person, person.main);
  }

  async function seal(host: Host, one: Place[]): Promise<void> {
    const [{ capsuleId: id, title, creator, opensOn }] = one as [Place];
    const unlockAt = instant(opensOn);
    const times = { createdAt: host.deps.clock.now(), unlockAt };
    const dateToUnlock = unlockAt.toISOString().slice(0, 10);
    const notifyRecipient = chance.happens(ASSUMED.notify);
    await host.deps.db.transaction(async (tx) => {
      await tx.insert(capsules).values({
        ...{ id, creatorId: creator.id, title, description: '', personalMessage: 'Hello' },
        ...{ ...times, dateToUnlock, timeZone: 'UTC', notifyRecipient },
        ...{ mediaCount: 0, totalBytes: 0 },
      });
      await tx.insert(capsuleRecipients).values(
        one.map(({ recipient }, position) => ({
          ...{ capsuleId: id, userId: recipient.id, position },
          ...{ ...times, dateToUnlock, isCreator: recipient.id === creator.id },
        })),
      );
      if (!notifyRecipient) return;
      const told = one.map(({ recipient }) => ({ id: recipient.id, email: recipient.main }));
      await queueWaitingNotices(tx, host.deps, { id }, told);
    });
  }

  /** What a person does with an email that they read. */
  async function read(host: Host, { to, at: when, subject, text, byKey }: Received): Promise<void> {
    const person = byAddress.get(to);
    if (!person) throw new Error(`Nobody has ${to}.`);
    const token = (path: string) => new RegExp(`${path}[?#]token=([^\\s]+)`).exec(text)?.[1];
    const confirms = token('/auth/confirm-email');
    const question = token('/auth/still-yours');
    if (confirms) return confirm(host, person, { to, token: decodeURIComponent(confirms) });
    if (question) {
      life.told.questions += 1;
      if (mailboxes.isAlive(person.main)) {
        if (chance.happens(ASSUMED.answer)) {
          // It is refused where they have given another address on the same day.
          await answerStillYours(host.deps, decodeURIComponent(question)).catch(() => {});
        }
      } else if (chance.happens(ASSUMED.mend)) await replace(host, person, person.main);
      return;
    }
    const isReminder = subject.includes('unread');
    const isOpened = subject.includes('opened');
    if (!isReminder && !isOpened) return;
    if (isReminder) life.told.reminders += 1;
    else life.told.opened += 1;
    for (const title of new Set(text.match(/Letter \d+/g) ?? [])) {
      const key = `${to} ${isReminder} ${title}`;
      const before = times.get(key) ?? 0;
      times.set(key, before + 1);
      if (before === 1) life.faults[byKey ? 'againByKey' : 'again'] += 1;
      if (before > 1) life.faults.more += 1;
      const [first, ...others] = byTitle.get(title) ?? [];
      if (!first) throw new Error(`Nobody has sealed ${title}.`);
      if (when < instant(first.opensOn)) life.faults.early += 1;
      for (const place of [first, ...others]) {
        if (place.recipient === person) place.toldOn ??= today;
      }
    }
    if (chance.happens(ASSUMED.come)) {
      at(today + chance.whole(1, 3), (later) => visit(later, person));
    }
  }

  async function confirm(
    host: Host,
    person: Person,
    { to, token }: { to: string; token: string },
  ): Promise<void> {
    try {
      const { slot } = await confirmAddress(host.deps, { token, pressedBy: person.id });
      person[slot] = to;
    } catch {
      life.faults.failed += 1;
    }
  }

  for (let n = 0; n < howMany; n += 1) {
    const person: Person = {
      id: randomUUID(),
      main: '',
      second: null,
      leavesOn: chance.happens(ASSUMED.leave) ? 730 : Number.POSITIVE_INFINITY,
    };
    person.main = newAddress(person);
    if (chance.happens(ASSUMED.haveSecond)) person.second = newAddress(person);
    const visits = Math.round((days / 365.25) * ASSUMED.visitsAYear);
    for (let v = 0; v < visits; v += 1) {
      at(chance.whole(1, days), (host) => visit(host, person));
    }
    life.people.push(person);
  }
  const anyone = () => life.people[chance.whole(0, howMany - 1)] as Person;
  for (let n = 0; n < howMany * ASSUMED.capsulesEach; n += 1) {
    const title = `Letter ${n}`;
    const sealedOn = chance.whole(1, days - 500);
    const [least, most] = ASSUMED.yearsSealed;
    const opensOn = sealedOn + chance.whole(least * 365, most * 365);
    if (opensOn > days - UNLOCK_LAST_DAYS) continue;
    const creator = anyone();
    const recipients = new Set([
      anyone(),
      ...(chance.happens(ASSUMED.secondRecipient) ? [anyone()] : []),
    ]);
    const capsuleId = randomUUID();
    const places = [...recipients].map(
      (recipient): Place => ({
        ...{ capsuleId, title, creator, recipient, opensOn },
        hadLivingChannel: null,
        toldOn: null,
        seenOn: null,
      }),
    );
    life.places.push(...places);
    byTitle.set(title, places);
    byCapsule.set(capsuleId, places);
    at(sealedOn, (host) => seal(host, places));
    at(opensOn, () => {
      for (const place of places) {
        const { main, second } = place.recipient;
        place.hadLivingChannel =
          mailboxes.isAlive(main) || (second !== null && mailboxes.isAlive(second));
      }
    });
  }
  return life;
}
