import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { db, openDatabase } from './database.ts';
import { saveDraft } from './drafts.ts';
import { noteExchange } from './due.ts';
import { EMPTY_DRAFT } from './tables.ts';

const draft = { id: sampleId(1), fields: EMPTY_DRAFT, updatedAt: 1 };

beforeEach(async () => {
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
});

it('a new draft stays on this device from its first word on, for who has chosen so', async () => {
  expect((await saveDraft(draft))?.onlyHere).toBeUndefined();
  await noteExchange({ onlyOnDevice: true });
  expect((await saveDraft({ ...draft, id: sampleId(2) }))?.onlyHere).toBe(true);
  // Those that were begun before stay as they are.
  expect((await saveDraft({ ...draft, updatedAt: 2 }))?.onlyHere).toBeUndefined();
});
