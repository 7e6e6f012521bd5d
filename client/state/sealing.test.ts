import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleCapsule, sampleId, sampleUser } from '../../tests/support/sample-capsule.ts';
import { CallError } from '../http/call-error.ts';
import { uploadCapsule } from '../http/upload.ts';
import { db } from '../local/db.ts';
import { EMPTY_DRAFT, saveDraft } from '../local/drafts.ts';
import { readList, writeList } from '../local/lists.ts';
import { claimDevice } from '../local/owner.ts';

vi.mock('../http/upload.ts', () => ({ uploadCapsule: vi.fn() }));
const upload = vi.mocked(uploadCapsule);

// The sign-in state listens to other tabs as soon as it is loaded.
vi.stubGlobal('window', new EventTarget());
const { clearFieldErrors, pickFiles, seal, sealing, startSealing } = await import('./sealing.ts');

const ada = sampleUser(101, 'Ada');
const LIST = { owner: ada.id, type: 'created', query: '', page: 1 } as const;
const draft = {
  owner: ada.id,
  id: sampleId(9),
  fields: { ...EMPTY_DRAFT, title: 'Lake' },
  updatedAt: 0,
};
const photo = new File(['x'], 'a.png');

function failing(status: number, code: CallError['code'], errors: Record<string, string> = {}) {
  upload.mockRejectedValueOnce(new CallError({ message: 'No', code, status, errors }));
}

beforeEach(async () => {
  upload.mockReset();
  await Promise.all(db.tables.map((table) => table.clear()));
  await claimDevice(ada, 0);
  await saveDraft(draft);
  startSealing('nobody');
  startSealing(ada.id);
  pickFiles([photo]);
});

describe('seal', () => {
  it('puts the capsule first in the list and lets go of the draft and its files', async () => {
    const pagination = { currentPage: 1, totalPages: 0, itemsPerPage: 6, totalItems: 0 };
    await writeList(LIST, { capsules: [], pagination }, 0);
    upload.mockImplementationOnce(async ({ onProgress }) => {
      onProgress(40);
      expect(sealing.get().percent).toBe(40);
      return sampleCapsule(1);
    });
    expect((await seal(draft))?.id).toBe(sampleId(1));
    expect(upload.mock.calls[0]?.[0]).toMatchObject({ idempotencyKey: draft.id, files: [photo] });
    expect((await readList(LIST))?.pagination.totalItems).toBe(1);
    expect(await db.drafts.count()).toBe(0);
    expect(sealing.get()).toMatchObject({ percent: null, files: [], sealedKey: draft.id });
  });

  it.each([
    ['a lost network', 0, 'NETWORK_ERROR'],
    ['an ended session', 401, 'UNAUTHENTICATED'],
    ['a repeat in progress', 409, 'IDEMPOTENCY_KEY_IN_PROGRESS'],
    ['too many attempts', 429, 'RATE_LIMITED'],
    ['a failing server', 500, 'INTERNAL'],
  ] as const)('keeps draft, files and key after %s', async (_, status, code) => {
    failing(status, code);
    expect(await seal(draft)).toBeNull();
    expect(sealing.get()).toMatchObject({ percent: null, error: 'No', files: [photo] });
    expect(sealing.get().spentKey).toBeNull();
    expect(await db.drafts.count()).toBe(1);
  });

  it('lets an edited draft have a new key once the server has refused the old one', async () => {
    failing(400, 'VALIDATION_FAILED', { title: 'Too long', files: 'Too large' });
    await seal(draft);
    expect(sealing.get().spentKey).toBe(draft.id);
    expect(sealing.get().fieldErrors).toEqual({ title: 'Too long', files: 'Too large' });
    clearFieldErrors(['title']);
    expect(sealing.get().fieldErrors).toEqual({ files: 'Too large' });
  });

  it('says so when an earlier version had arrived after all', async () => {
    failing(422, 'IDEMPOTENCY_KEY_REUSED');
    await seal(draft);
    expect(sealing.get().error).toMatch(/had arrived/);
    expect(sealing.get().spentKey).toBe(draft.id);
  });

  it('sends one capsule at a time', async () => {
    upload.mockReturnValueOnce(new Promise(() => undefined));
    void seal(draft);
    expect(await seal(draft)).toBeNull();
    expect(upload).toHaveBeenCalledTimes(1);
    sealing.set({ percent: null });
  });

  it("gives another person none of the first one's files", () => {
    startSealing('grace');
    expect(sealing.get().files).toEqual([]);
  });
});
