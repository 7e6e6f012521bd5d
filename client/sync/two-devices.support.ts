import { Dexie } from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, vi } from 'vitest';
import type { DraftContent } from '../../shared/api/drafts.ts';
import type { Chance } from '../../tests/support/chance.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { attach } from '../db/attach.support.ts';
import { readFiles, removeAttachment } from '../db/attachments.ts';
import { closeDatabase, db, openDatabase, openedUserId } from '../db/database.ts';
import { readForAccount } from '../db/draft-sync.ts';
import { discardDraft, readDraft, saveDraft } from '../db/drafts.ts';
import { noteExchange } from '../db/due.ts';
import { enqueue, reopenAsDraft } from '../db/outbox.ts';
import { isDirty } from '../db/receive-draft.ts';
import {
  type ChosenRecipient,
  type DraftFields,
  type DraftRow,
  EMPTY_DRAFT,
  randomUuid,
} from '../db/tables.ts';
import { outboxQueue } from './drain.ts';
import { runQueue } from './queue.ts';

/*
 * Two devices of one person, with the real database and the real queue, and a server. Requests are lost,
 * answers are lost, requests arrive again later, and devices are switched off at any request.
 */

const STEPS = 40;
/** Some drafts are due again after one step, others are not. */
const STEP_MS = 3_000;

/** Never the same id for two people of one server: it would refuse the second. */
let ids = 0;

/** The server of one person, itself or only its rules. */
export interface AccountServer {
  /** Also whom the capsules are for. */
  person: ChosenRecipient;
  respond: (address: string, init: RequestInit) => Promise<Response>;
  state: () => Promise<AccountState>;
}

interface AccountState {
  /** Those that are neither sealed nor discarded. */
  drafts: { id: string; content: DraftContent }[];
  capsules: {
    texts: string[];
    /** Names, in display order. */
    files: string[];
  }[];
  /** Ids of uploads that have arrived whole. */
  arrived: string[];
}

interface Device {
  indexedDB: IDBFactory;
  /** Drafts as the form last saw them. */
  seen: Map<string, DraftRow>;
}

/**
 * Walks forty steps on two devices by chance, then lets both come to rest.
 * @throws when a word or a file is lost, or a file is there twice
 */
export async function walkTwoDevices(chance: Chance, account: AccountServer): Promise<void> {
  const { person } = account;
  const devices: [Device, Device] = [
    { indexedDB: new IDBFactory(), seen: new Map() },
    { indexedDB: new IDBFactory(), seen: new Map() },
  ];
  const typed: string[] = [];
  const deleted = new Set<string>();
  /** The name of each picked file, by its id. */
  const picked = new Map<string, string>();
  const removed = new Set<string>();
  const late: (() => Promise<unknown>)[] = [];
  let isCalm = false;

  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    ids += 1;
    return sampleId(ids) as ReturnType<typeof crypto.randomUUID>;
  });
  // How long a run takes decides nothing, so that a seed is the same walk again.
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (openedUserId() === null) throw new TypeError('The device is off.');
    if (isCalm) return account.respond(address, init);
    const fate = chance.whole(0, 20);
    if (fate === 0) throw new TypeError('Nothing has left.');
    // A proxy sends the same request once more, much later.
    const isOnce = init.method === 'PATCH' || init.method === 'POST';
    if (fate === 1 && !isOnce) {
      // Long after the device has let go of it.
      late.push(() => account.respond(address, { ...init, signal: null }));
    }
    if (fate === 2) closeDatabase();
    const answer = await account.respond(address, init);
    if (fate === 3) closeDatabase();
    if (fate <= 4) throw new TypeError('The answer is lost.');
    return answer;
  });

  async function switchTo({ indexedDB }: Device): Promise<void> {
    closeDatabase();
    Dexie.dependencies.indexedDB = indexedDB;
    Dexie.dependencies.IDBKeyRange = IDBKeyRange;
    await openDatabase(person.id);
  }

  async function send(device: Device): Promise<void> {
    await noteExchange({ attempts: 0, nextTryAt: 0, askedAt: 0 });
    await db.outbox.toCollection().modify({ nextTryAt: 0 });
    try {
      await runQueue(outboxQueue());
    } catch (error) {
      // Switched off in the middle.
      if (openedUserId() !== null) throw error;
    }
    if (openedUserId() === null) await switchTo(device);
  }

  /** A draft as the form shows it, perhaps from before the last answer of the account. */
  async function open(device: Device): Promise<DraftRow | null> {
    const rows = await db.drafts.toArray();
    const ids = [...new Set([...rows.map(({ id }) => id), ...device.seen.keys()])];
    const id = ids[chance.whole(0, Math.max(0, ids.length - 1))];
    if (id === undefined || (await db.outbox.get(id))) return null;
    const shown = device.seen.get(id);
    if (shown && chance.happens(0.3)) return shown;
    const row = await readDraft(id);
    if (row) device.seen.set(id, row);
    else device.seen.delete(id);
    return row;
  }

  async function save(device: Device, draft: DraftRow, patch: Parameters<typeof saveDraft>[1]) {
    const row = await saveDraft(draft, patch);
    device.seen.delete(draft.id);
    if (row) device.seen.set(row.id, row);
  }

  async function type(device: Device): Promise<void> {
    const draft = await open(device);
    const word = `w${typed.length}.`;
    typed.push(word);
    const name = chance.oneOf(['description', 'personalMessage'] as const);
    const fixed = { title: 'For Mia', recipients: [person], dateToUnlock: '2036-01-01' };
    const before = draft ?? {
      ...{ id: randomUuid(), files: [], updatedAt: Date.now() },
      // What the server would not seal without.
      fields: { ...EMPTY_DRAFT, ...fixed, description: 'From us. ' },
    };
    const base: Partial<DraftFields> = { [name]: before.fields[name] };
    const words = before.fields[name].split(' ');
    words.splice(chance.whole(0, words.length), 0, word);
    const fields: Partial<DraftFields> = { [name]: words.join(' ') };
    const whole = { ...before, fields: { ...before.fields, ...fields } };
    await save(device, whole, draft ? { fields, base } : whole);
  }

  async function takeOutAWord(device: Device): Promise<void> {
    const draft = await open(device);
    if (!draft) return;
    const text = draft.fields.personalMessage;
    const word = chance.oneOf(['', ...wordsIn(text)]);
    deleted.add(word);
    const fields = { personalMessage: text.replace(word, '') };
    await save(device, draft, { fields, base: { personalMessage: text } });
  }

  async function step(device: Device): Promise<void> {
    vi.setSystemTime(Date.now() + STEP_MS);
    const what = chance.whole(0, 20, 'step');
    if (what <= 8) return type(device);
    if (what <= 14) return send(device);
    if (what === 15) return takeOutAWord(device);
    if (what === 16) return void (await late.shift()?.());
    const draft = (await db.drafts.toArray())[0];
    if (!draft) return;
    if (what === 17) {
      const name = `${picked.size}.pdf`;
      const { id } = await attach(draft.id, new File([`%PDF-1.4 ${name}`], name));
      picked.set(id, name);
    } else if (what === 18) {
      const [file] = await readFiles(draft);
      if (!file) return;
      removed.add(file.id);
      await removeAttachment(draft.id, file.id);
    } else if (what === 19 && chance.happens(0.5)) {
      const shown = device.seen.get(draft.id) ?? draft;
      for (const word of wordsIn(shown)) deleted.add(word);
      for (const { id } of await readFiles(draft)) removed.add(id);
      device.seen.delete(draft.id);
      await discardDraft(shown);
    } else if (what === 20) {
      const shown = device.seen.get(draft.id) ?? draft;
      await enqueue(shown, 'UTC', Date.now()).catch((error: Error) => {
        expect(['DraftChangedError', 'FilesMissingError']).toContain(error.name);
      });
      device.seen.delete(draft.id);
    }
  }

  for (let at = 0; at < STEPS; at += 1) {
    const device = chance.oneOf(devices);
    await switchTo(device);
    for (let more = chance.whole(1, 4); more > 0; more -= 1) await step(device);
  }
  isCalm = true;
  for (const respond of late) await respond();
  for (let round = 0; round < 12; round += 1) {
    const device = devices[round % 2 === 0 ? 0 : 1];
    await switchTo(device);
    await send(device);
    // A file of it was taken out on the other device: it goes back into the form.
    for (const { id } of await db.outbox.filter(({ state }) => state === 'needs-fix').toArray()) {
      await reopenAsDraft(id, randomUuid(), true);
    }
  }

  const { drafts: alive, capsules, arrived } = await account.state();
  const texts = JSON.stringify([
    alive.map(({ content }) => content),
    capsules.map((one) => one.texts),
  ]);
  const isThere = (word: string) => texts.includes(word) || deleted.has(word);
  expect(typed.filter((word) => !isThere(word))).toEqual([]);

  for (const { content } of alive) {
    const twice = wordsIn(content).filter((word, at, all) => all.indexOf(word) !== at);
    expect(twice).toEqual([]);
  }

  const inDrafts = alive.map(({ content }) => content.files.map(({ name }) => name));
  const inCapsules = capsules.map(({ files }) => files);
  // What is in a capsule may also be in a draft: of a device that did not know whether it had arrived.
  for (const names of [...inCapsules, inDrafts.flat()]) {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  }
  const placed = new Set([...inCapsules, ...inDrafts].flat());
  const lost = [...picked].filter(([id, name]) => !removed.has(id) && !placed.has(name));
  expect(lost).toEqual([]);

  for (const device of devices) {
    await switchTo(device);
    expect(await db.outbox.toArray()).toEqual([]);
    const here = await readForAccount();
    expect(here.filter(isDirty)).toEqual([]);
    const texts = here.map(({ draft: { id, fields } }) => [id, fields.personalMessage]);
    expect(texts.toSorted()).toEqual(
      alive.map(({ id, content }) => [id, content.fields.personalMessage]).toSorted(),
    );
    for (const file of here.flatMap(({ files }) => files)) {
      const isSafe = arrived.includes(file.id) || file.complete;
      const isDone = removed.has(file.id) || inCapsules.flat().includes(file.name);
      expect([file.id, isSafe || isDone]).toEqual([file.id, true]);
    }
  }
}

function wordsIn(what: unknown): string[] {
  return JSON.stringify(what).match(/w\d+\./g) ?? [];
}
