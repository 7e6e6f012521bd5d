import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { openDatabase } from '../db/database.ts';
import { saveDraft } from '../db/drafts.ts';
import { EMPTY_DRAFT } from '../db/tables.ts';
import { createAccountModel } from '../sync/account-model.support.ts';
import { makeLink } from './use-added.ts';

const id = sampleId(1);
const LINK = { words: '', isSurprise: false, until: null };

/** Of the calls that have this in their address there is never an answer. */
let dead: string;
let patience: AbortController;

beforeEach(async () => {
  const account = createAccountModel();
  patience = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => patience.signal);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    address.includes(dead) ? untilGivenUp(init) : account.respond(address, init),
  );
  await openDatabase(sampleId(101));
  await saveDraft({ id, fields: EMPTY_DRAFT, updatedAt: 1 });
});

/** The person's patience ends as soon as the line is silent. */
function untilGivenUp({ signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', reject);
    setTimeout(() => patience.abort());
  });
}

it.each(['/user/me', `/drafts/${id}`, '/contribution-link'])(
  'a line that is silent at %s is given up, and the person may try again',
  async (silent) => {
    dead = silent;
    await expect(makeLink(id, LINK)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  },
);
