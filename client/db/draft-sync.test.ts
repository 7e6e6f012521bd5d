import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { type AccountDraft, type DraftContent, restOf } from '../../shared/api/drafts.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { attach } from './attach.support.ts';
import { readAttachments, removeAttachment } from './attachments.ts';
import { db, openDatabase } from './database.ts';
import {
  noteDiscarded,
  noteRefused,
  noteSaved,
  noteSealedHere,
  readDiscarded,
  readNews,
  receiveDrafts,
  saveToAccount,
  takeForSending,
} from './draft-sync.ts';
import {
  discardDraft,
  isGoneElsewhere,
  readDraft,
  readDrafts,
  readSuccessor,
  saveDraft,
} from './drafts.ts';
import { noteExchange, readExchange } from './due.ts';
import { enqueue, reopenAsDraft } from './outbox.ts';
import { DISCARDED_HERE } from './receive-draft.ts';
import { type DraftRow, EMPTY_DRAFT } from './tables.ts';

const ada = sampleId(101);
const id = sampleId(1);
const WHO = { writtenOn: 'Chrome on Android', writtenAt: '2026-06-14T20:00:00.000Z' };

function there(
  revision: number,
  change: Partial<DraftContent['fields']> | 'sealed' | 'discarded',
  files: DraftContent['files'] = [],
): AccountDraft {
  const isGone = typeof change === 'string';
  const content = isGone ? null : { fields: { ...EMPTY_DRAFT, ...change }, files };
  return { id, revision, ...WHO, content, gone: isGone ? change : null, arrived: [] };
}

/** A draft of the account, to which a file was added here. */
async function attachTo(fields: Partial<DraftContent['fields']>) {
  await receiveDrafts(ada, [there(1, fields)]);
  await attach(id, new File(['abc'], 'a.txt'));
  const [file] = await readAttachments(id);
  if (!file) throw new Error('It was added.');
  const { name, type, bytes } = file;
  return { id: file.id, name, type, bytes };
}

beforeEach(async () => {
  await openDatabase(ada);
  await Promise.all(db.tables.map((table) => table.clear()));
});

it('a key that was typed before the words of another device came keeps both', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia', personalMessage: 'Dear' })]);
  const shown = await readDraft(id);
  await receiveDrafts(ada, [there(2, { title: 'For Mia', personalMessage: 'Dear Mia' })]);
  if (!shown) throw new Error('It has come.');
  const fields = { personalMessage: 'Dear child' };
  await saveDraft(shown, { fields, base: { personalMessage: 'Dear' } });
  expect(await readDraft(id)).toMatchObject({
    fields: { title: 'For Mia', personalMessage: 'Dear Mia child' },
  });
});

it('what was sent without an answer goes again as it was, and is known when it has arrived', async () => {
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, description: 'Fir' }, updatedAt: 1 });
  const first = await takeForSending(id, 1);
  await saveDraft(
    { id, fields: EMPTY_DRAFT, updatedAt: 2 },
    { fields: { description: 'First' }, base: { description: 'Fir' } },
  );
  expect(await takeForSending(id, 2)).toEqual(first);
  // Another device has gone on with it.
  const writes = [first?.writeId ?? '', sampleId(8)];
  await receiveDrafts(ada, [{ ...there(7, { description: 'Fir and more' }), writes }]);
  const next = await takeForSending(id, 3);
  expect(next).toMatchObject({ base: 7, content: { fields: { description: 'First and more' } } });
  expect(next?.writeId).not.toBe(first?.writeId);
  expect((await readDraft(id))?.account?.content.fields.description).toBe('Fir and more');
});

it('what a version of before has sent without an id is known by its words', async () => {
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, description: 'Dear Mai, I lov' }, updatedAt: 1 });
  await takeForSending(id, 1);
  const description = 'Dear Mia, I love you';
  await saveDraft({ id, fields: EMPTY_DRAFT, updatedAt: 2 }, { fields: { description } });
  await receiveDrafts(ada, [there(7, { description: 'Dear Mai, I lov' })]);
  expect((await readDraft(id))?.fields.description).toBe(description);
});

it('what has not arrived is written on what another device has', async () => {
  await receiveDrafts(ada, [there(1, { description: 'Mia' })]);
  await saveDraft(
    { id, fields: EMPTY_DRAFT, updatedAt: 2 },
    { fields: { description: 'Mia at six' } },
  );
  await takeForSending(id, 1);
  await receiveDrafts(ada, [{ ...there(2, { description: 'For Mia' }), writes: [sampleId(8)] }]);
  expect(await takeForSending(id, 2)).toMatchObject({
    base: 2,
    content: { fields: { description: 'For Mia at six' } },
  });
});

it('what was sealed elsewhere with the last words from here is gone', async () => {
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, title: 'Mia' }, updatedAt: 1 });
  const { writeId = '' } = (await takeForSending(id, 1)) ?? {};
  await receiveDrafts(ada, [{ ...there(2, 'sealed'), writes: [writeId] }]);
  expect(await readDrafts()).toEqual([]);
});

it('does not fetch its own words again, unless others were written in between', async () => {
  await noteExchange({ since: 4 });
  await noteSaved(id, { revision: 5, previous: 4 });
  expect((await readExchange()).since).toBe(5);
  await noteSaved(id, { revision: 9, previous: 7 });
  expect((await readExchange()).since).toBe(5);
});

it('sealed elsewhere it is gone, and newer words go on as a draft of their own', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  await receiveDrafts(ada, [there(2, 'sealed')]);
  expect(await readDrafts()).toEqual([]);
  expect(await readNews()).toMatchObject([{ id, news: 'sealed', fields: { title: 'Mia' } }]);

  await receiveDrafts(ada, [{ ...there(3, { title: 'Tom' }), id: sampleId(2) }]);
  const row = await readDraft(sampleId(2));
  if (!row) throw new Error('It has come.');
  await saveDraft(row, { fields: { title: 'For Tom' }, base: { title: 'Tom' } });
  await receiveDrafts(ada, [{ ...there(4, 'sealed'), id: sampleId(2) }]);
  const [next] = await readDrafts();
  expect(next).toMatchObject({ fields: { title: 'For Tom' } });
  expect(await readSuccessor(sampleId(2))).toEqual(next);
  // A page that was open all the while.
  await saveDraft(row, { fields: { description: 'Later' }, base: { description: '' } });
  expect(await readDrafts()).toMatchObject([
    { fields: { title: 'For Tom', description: 'Later' } },
  ]);
});

it.each(['asks', 'is refused', 'has sent most of it', 'has no draft any more'])(
  'sealed elsewhere as its last key is typed, it goes on as one draft with what the account has kept, where this device %s',
  async (how) => {
    const personalMessage = 'Dear Mia. The boat is yours';
    await receiveDrafts(ada, [there(2, { personalMessage })]);
    const row = await readDraft(id);
    if (!row) throw new Error('It has come.');
    const type = (text: string, before: string) =>
      saveDraft(row, { fields: { personalMessage: text }, base: { personalMessage: before } });
    const writes: string[] = [];
    if (how === 'has no draft any more') await receiveDrafts(ada, [there(3, 'sealed')]);
    if (how === 'has sent most of it') {
      await type(`${personalMessage} now`, personalMessage);
      writes.push((await takeForSending(id, 5))?.writeId ?? '');
      await type(`${personalMessage} now, Mia`, `${personalMessage} now`);
    } else await type(`${personalMessage}, Mia`, personalMessage);
    if (how !== 'asks') await takeForSending(id, 5);
    await receiveDrafts(ada, [{ ...there(3, 'sealed'), writes }]);
    const said = writes.length > 0 ? `${personalMessage} now` : personalMessage;
    const theirs = {
      ...there(4, { personalMessage: `Hello. ${said}` }),
      id: restOf(id),
      writes: [],
    };
    await receiveDrafts(ada, [theirs]);
    expect((await readDrafts()).map((draft) => [draft.id, draft.fields.personalMessage])).toEqual([
      [restOf(id), `Hello. ${said}, Mia`],
    ]);
    expect(await takeForSending(restOf(id), 5)).toMatchObject({ base: 4 });
    expect(await readNews()).toMatchObject([{ id, news: 'sealed', goesOnAs: restOf(id) }]);
  },
);

it('what a tab has written in a draft that was sealed here joins what goes on of it', async () => {
  await receiveDrafts(ada, [{ ...there(4, { personalMessage: 'Tom' }), id: restOf(id) }]);
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, personalMessage: 'Mia' }, updatedAt: 1 });
  await receiveDrafts(ada, [there(3, 'sealed')]);
  expect((await readDrafts()).map((row) => [row.id, row.fields.personalMessage])).toEqual([
    [restOf(id), 'Mia Tom'],
  ]);
  expect(await readSuccessor(id)).toMatchObject({ id: restOf(id) });
});

it('a form with nothing new makes no draft of what another device has sealed', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  const row = await readDraft(id);
  await receiveDrafts(ada, [there(2, 'sealed')]);
  expect(await saveDraft(row as DraftRow, { fields: {}, base: {} })).toBeNull();
  expect(await readDrafts()).toEqual([]);
});

it('sealed elsewhere while a file is copied, its newer words go on with that file', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  const film = new File([new Uint8Array(4_194_305)], 'film.mp4');
  let isSealed: Promise<void> | undefined;
  const onProgress = () => {
    isSealed ??= receiveDrafts(ada, [there(2, 'sealed')]);
  };
  await attach(id, film, { onProgress });
  await isSealed;
  const [next] = await readDrafts();
  expect(await readSuccessor(id)).toEqual(next);
  expect(await readAttachments(next?.id ?? '')).toMatchObject([
    { name: 'film.mp4', complete: true },
  ]);
});

it('sealed elsewhere with its files, what is left of it says so', async () => {
  const photo = { id: sampleId(7), name: 'a.png', type: 'image/png', bytes: 3 };
  await receiveDrafts(ada, [{ ...there(1, { title: 'Mia' }, [photo]), arrived: [photo.id] }]);
  await saveDraft({ ...((await readDraft(id)) as DraftRow) }, { fields: { title: 'For Mia' } });
  await receiveDrafts(ada, [there(2, 'sealed')]);
  const next = (await readSuccessor(id)) as DraftRow;
  expect(next.news).toMatch(/^You sealed this on another device, with its files, /);
  expect(next.files).toEqual([]);
});

it('discarded here it comes back with newer words of another device', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  await discardDraft((await readDraft(id)) as DraftRow);
  await receiveDrafts(ada, [there(2, { title: 'For Mia' })]);
  expect(await readDrafts()).toEqual([]);
  expect(await readDiscarded()).toMatchObject([{ id, discarded: { revision: 1 } }]);
  await noteDiscarded(id, there(2, { title: 'For Mia' }));
  const back = { id, fields: { title: 'For Mia' }, news: DISCARDED_HERE };
  expect(await readDrafts()).toMatchObject([back]);
});

it('discarded here it says so where another device writes on later, and nothing of it stays till then', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  await discardDraft((await readDraft(id)) as DraftRow);
  await noteDiscarded(id, null);
  expect(JSON.stringify(await db.goneDrafts.toArray())).not.toContain('Mia');
  await receiveDrafts(ada, [there(3, { title: 'For Mia' })]);
  expect(await readDrafts()).toMatchObject([{ id, news: DISCARDED_HERE }]);
  await receiveDrafts(ada, [there(4, 'discarded')]);
  expect([await readDrafts(), await readNews()]).toMatchObject([[], [{ id, news: 'discarded' }]]);
});

it('what another device has written while the question was read is not discarded', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  const seen = (await readDraft(id)) as DraftRow;
  await receiveDrafts(ada, [there(2, { title: 'For Mia' })]);
  await discardDraft(seen);
  expect(await readDiscarded()).toMatchObject([{ id, discarded: { revision: 1 } }]);
});

it('own words that were sent while the question was read are discarded', async () => {
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, title: 'Mia' }, updatedAt: 1 });
  const seen = (await readDraft(id)) as DraftRow;
  await takeForSending(id, 1);
  await noteSaved(id, { revision: 5, previous: 4 });
  await discardDraft(seen);
  expect(await readDiscarded()).toMatchObject([{ id, discarded: { revision: 5 } }]);
});

it('what is left of a draft that was sealed here says so, and is no news of another device', async () => {
  await noteSealedHere(id);
  const left = { ...there(2, { title: 'For Mia' }), id: restOf(id) };
  await receiveDrafts(ada, [there(1, 'sealed'), left]);
  expect((await readDraft(restOf(id)))?.news).toMatch(/^You sealed this here\. /);
  expect([await readNews(), await isGoneElsewhere(id)]).toEqual([[], false]);
});

it('what was discarded long ago is forgotten', async () => {
  const old = { fields: { title: '' }, wasDiscardedHere: true, goneAt: 1 } as const;
  await db.goneDrafts.put({ id: sampleId(7), ...old });
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  await discardDraft((await readDraft(id)) as DraftRow);
  await noteDiscarded(id, null);
  expect((await db.goneDrafts.toArray()).map((row) => row.id)).toEqual([id]);
});

it('is sealed only where its files are, unless the account has them', async () => {
  const file = { id: sampleId(9), name: 'a.png', type: 'image/png', bytes: 3 };
  await receiveDrafts(ada, [{ ...there(2, {}, [file]), id: sampleId(3) }]);
  const row = await readDraft(sampleId(3));
  const sealing = enqueue({ ...row, id: sampleId(3) } as never, 'UTC', 1);
  await expect(sealing).rejects.toMatchObject({ name: 'FilesMissingError', fileNames: ['a.png'] });
  const arrived = { ...there(3, {}, [file]), id: sampleId(3), arrived: [file.id] };
  await receiveDrafts(ada, [arrived]);
  const item = await enqueue((await readDraft(sampleId(3))) as never, 'UTC', 1);
  expect(item).toMatchObject({ files: [file.id], account: { revision: 3 } });
});

it('opened again from the outbox, it is what the account has, with what others add to it', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  await attach(id, new File(['abc'], 'a.txt'));
  const item = await enqueue((await readDraft(id)) as never, 'UTC', 1);
  await receiveDrafts(ada, [there(2, { title: 'For Mia' })], { since: 2 });
  expect(await reopenAsDraft(item.id, sampleId(2))).toMatchObject({ id });
  expect(await readAttachments(id)).toHaveLength(1);
  expect(await readDiscarded()).toEqual([]);
  // What the account said meanwhile was passed over.
  expect(await readExchange()).toMatchObject({ since: 0, asksAnew: true });
  // Nor does an answer count that was asked for before.
  await receiveDrafts(ada, [], { since: 2, asksAnew: false }, 2);
  expect(await readExchange()).toMatchObject({ since: 0, asksAnew: true });
  await receiveDrafts(ada, [there(2, { title: 'For Mia' })]);
  expect(await readDraft(id)).toMatchObject({ fields: { title: 'For Mia' } });
});

it('what another device discards while its capsule waits here comes back with it, and once', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  const seal = async () => enqueue((await readDraft(id)) as never, 'UTC', 1);
  await reopenAsDraft((await seal()).id, sampleId(2));
  await receiveDrafts(ada, [there(2, 'discarded')]);
  expect((await readDraft(id))?.news).toMatch(/^You discarded this elsewhere\. /);
  expect(await takeForSending(id, 3)).toMatchObject({ base: 2 });
  await noteSaved(id, { revision: 3, previous: 2 });
  await receiveDrafts(ada, [there(4, 'discarded')]);
  expect(await readDraft(id)).toBeNull();
});

it('discarded elsewhere while it had newer words here, its files are sent again', async () => {
  const file = await attachTo({ title: 'Mia' });
  const arrived = { ...there(2, { title: 'Mia' }, [file]), arrived: [file.id] };
  await receiveDrafts(ada, [arrived]);
  expect(await readAttachments(id)).toMatchObject([{ hasArrived: true }]);
  await saveDraft((await readDraft(id)) as DraftRow, { fields: { title: 'For Mia' } });
  await receiveDrafts(ada, [there(3, 'discarded')]);
  const [kept] = await readAttachments(id);
  expect(kept).toMatchObject({ id: file.id, complete: true });
  expect(kept?.hasArrived).toBeUndefined();
});

it('a file that the account has refused is taken out: the words are not refused any more', async () => {
  const file = await attachTo({ title: 'Mia' });
  await takeForSending(id, 2);
  await noteRefused(id, 'Please remove files.');
  expect((await readDraft(id))?.account?.refusal).toBe('Please remove files.');
  await removeAttachment(id, file.id);
  expect((await readDraft(id))?.account?.refusal).toBeUndefined();
});

it.each([1, 9])('opened again on another device, it has its files there too, id %i', async (n) => {
  const file = { id: sampleId(7), name: 'a.png', type: 'image/png', bytes: 3 };
  const first = { ...there(1, { title: 'Mia' }, [file]), id: sampleId(5), arrived: [file.id] };
  const again = { ...there(2, { title: 'Mia' }, [file]), id: sampleId(n), arrived: [file.id] };
  await receiveDrafts(ada, [first]);
  await receiveDrafts(ada, [again]);
  expect(await takeForSending(again.id, 1)).toBeNull();
  await receiveDrafts(ada, [{ ...there(3, 'discarded'), id: first.id }]);
  expect(await readAttachments(again.id)).toMatchObject([{ id: file.id, hasArrived: true }]);
  expect(await takeForSending(again.id, 2)).toBeNull();
});

it('what is typed goes to the draft that it is by now, however often its id was another one', async () => {
  for (const [n, goesOnAs] of [
    [5, 6],
    [6, 7],
  ] as const) {
    const row = { id: sampleId(n), fields: { title: '' }, goneAt: 0 };
    await db.goneDrafts.put({ ...row, goesOnAs: sampleId(goesOnAs) });
  }
  const fields = { ...EMPTY_DRAFT, title: 'Mia' };
  const shown = { id: sampleId(5), fields, updatedAt: 1 };
  await saveDraft({ ...shown, id: sampleId(7) });
  await saveDraft(shown, { fields: { title: 'For Mia' }, base: { title: 'Mia' } });
  expect(await readDrafts()).toMatchObject([{ id: sampleId(7), fields: { title: 'For Mia' } }]);
});

it('begins here only where the person has chosen so for all drafts', async () => {
  const fields = { ...EMPTY_DRAFT, title: 'Mia' };
  await saveDraft({ id, fields, updatedAt: 1 });
  await receiveDrafts(ada, [], { onlyOnDevice: true });
  await saveDraft({ id: sampleId(2), fields, updatedAt: 2 });
  expect((await readDrafts()).map(({ onlyHere }) => onlyHere)).toEqual([true, true]);
  await saveToAccount({ id });
  await receiveDrafts(ada, [], { onlyOnDevice: true });
  expect((await readDraft(id))?.onlyHere).toBe(false);
});

it('discarded elsewhere while a file is being copied here, it is still a draft', async () => {
  const file = await attachTo({ title: 'Mia' });
  await receiveDrafts(ada, [there(2, { title: 'Mia' })]);
  await db.attachments.update(file.id, { complete: false });
  await receiveDrafts(ada, [there(3, 'discarded')]);
  expect(await readAttachments(id)).toMatchObject([{ id: file.id }]);
});

it('what was written after the refused words is not refused', async () => {
  await receiveDrafts(ada, [there(1, { title: 'Mia' })]);
  await saveDraft((await readDraft(id)) as DraftRow, { fields: { title: 'Far too long' } });
  await takeForSending(id, 1);
  await saveDraft((await readDraft(id)) as DraftRow, { fields: { title: 'Shorter' } });
  await noteRefused(id, 'The letter is too long.');
  expect((await readDraft(id))?.account?.refusal).toBeUndefined();
  expect((await takeForSending(id, 2))?.content.fields.title).toBe('Shorter');
  await noteRefused(id, 'The letter is too long.');
  expect((await readDraft(id))?.account?.refusal).toBe('The letter is too long.');
});
