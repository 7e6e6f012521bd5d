import {
  type AccountDraft,
  type DraftContent,
  restOf,
  withVersions,
} from '../../shared/api/drafts.ts';
import { DRAFT_WRITES_KEPT, XSRF_HEADER } from '../../shared/limits.ts';
import { sampleCapsule, sampleUser } from '../../tests/support/sample-capsule.ts';

/* The rules by which the server keeps drafts, uploads and capsules, for one person and without a disk. */

interface SealedCapsule {
  request: string;
  texts: string[];
  files: string[];
}

type Answer = [status: number, body: unknown];

const USER = sampleUser(101, 'Ada');
const TEXTS = ['title', 'description', 'personalMessage'] as const;

export function createAccountModel() {
  const drafts = new Map<string, Omit<AccountDraft, 'arrived' | 'writes'>>();
  const writes = new Map<string, { id: string; revision: number }[]>();
  const uploads = new Map<
    string,
    { fileName: string; bytes: number; received: number; draft?: string }
  >();
  const capsules = new Map<string, SealedCapsule>();
  let revision = 0;

  const newest = () => Math.max(0, ...[...drafts.values()].map((row) => row.revision));
  const write = (id: string, content: DraftContent | null, gone: AccountDraft['gone']) => {
    const previous = newest();
    revision += 1;
    const writtenAt = new Date(revision).toISOString();
    const row = { id, revision, writtenOn: 'Chrome on Android', writtenAt, content, gone };
    drafts.set(id, row);
    return { revision, writtenOn: row.writtenOn, writtenAt, previous };
  };
  const present = (row: Omit<AccountDraft, 'arrived' | 'writes'>): AccountDraft => ({
    ...row,
    writes: writes.get(row.id)?.map((one) => one.id) ?? [],
    arrived: (row.content?.files ?? [])
      .filter((file) => isComplete(file.id) && uploads.get(file.id)?.draft === row.id)
      .map(({ id }) => id),
  });
  const isComplete = (id: string) => uploads.get(id)?.received === uploads.get(id)?.bytes;
  const nameUploads = (draft: string, { files }: DraftContent) => {
    for (const [id, upload] of uploads) {
      if (files.some((file) => file.id === id)) upload.draft = draft;
      else if (upload.draft === draft) delete upload.draft;
    }
  };
  const refused = (status: number, code: string, more = {}): Answer => [
    status,
    { message: code, code, ...more },
  ];

  function save(id: string, base: number, body: DraftContent, writeId: string): Answer {
    const content = withVersions(body);
    const before = drafts.get(id);
    const made = writes.get(id) ?? [];
    const repeated = made.find((one) => one.id === writeId);
    if (before && repeated) {
      const { writtenOn, writtenAt } = before;
      const others = [...drafts.values()].filter((row) => row.revision < repeated.revision);
      const previous = Math.max(0, ...others.map((row) => row.revision));
      return [200, { revision: repeated.revision, writtenOn, writtenAt, previous }];
    }
    if (before?.content && JSON.stringify(before.content) === JSON.stringify(content)) {
      const others = [...drafts.values()].filter((row) => row.revision < before.revision);
      const { writtenOn, writtenAt } = before;
      const previous = Math.max(0, ...others.map((row) => row.revision));
      return [200, { revision: before.revision, writtenOn, writtenAt, previous }];
    }
    if (before && (before.gone === 'sealed' || before.revision > base)) {
      return refused(409, 'DRAFT_CHANGED', { draft: present(before) });
    }
    const saved = write(id, content, null);
    writes.set(id, [
      ...made.slice(1 - DRAFT_WRITES_KEPT),
      { id: writeId, revision: saved.revision },
    ]);
    nameUploads(id, content);
    return [200, saved];
  }

  function discard(id: string, base: number): Answer {
    const before = drafts.get(id);
    if (before && !before.gone) {
      if (before.revision > base) {
        return refused(409, 'DRAFT_CHANGED', { draft: present(before) });
      }
      write(id, null, 'discarded');
    }
    return [200, { message: '' }];
  }

  async function seal(key: string, form: FormData): Promise<Answer> {
    const json = await (form.get('capsule') as Blob).text();
    const { draft, uploads: ids, ...fields } = JSON.parse(json);
    const bodies = form.getAll('files') as File[];
    const request = JSON.stringify([fields, ids, bodies.map(({ name }) => name)]);
    const before = capsules.get(key);
    if (before && before.request !== request) return refused(422, 'IDEMPOTENCY_KEY_REUSED');
    if (before) return [201, sampleCapsule(1)];
    if (!ids.every((id: string) => uploads.has(id) && isComplete(id))) {
      return refused(404, 'UPLOAD_NOT_FOUND');
    }
    const names = ids.map((id: string) => uploads.get(id)?.fileName);
    for (const id of ids) uploads.delete(id);
    const files = [...names, ...bodies.map(({ name }) => name)];
    capsules.set(key, { request, texts: TEXTS.map((name) => fields[name]), files });
    endDraft(key, draft, fields, ids);
    return [201, sampleCapsule(1)];
  }

  function endDraft(
    key: string,
    draft: { id: string; revision: number; unanswered?: string } | undefined,
    fields: Record<string, string>,
    files: readonly string[],
  ): void {
    const row = drafts.get(draft?.id ?? key);
    if (!draft && !row) return;
    write(draft?.id ?? key, null, 'sealed');
    if (!row?.content || !draft) return;
    const arrived = writes.get(row.id)?.find((one) => one.id === draft.unanswered);
    if (row.revision <= Math.max(draft.revision, arrived?.revision ?? 0)) return;
    const left = {
      ...row.content,
      files: row.content.files.filter((file) => !files.includes(file.id)),
    };
    const saysMore = TEXTS.some(
      (name) => left.fields[name].trim() !== '' && left.fields[name] !== fields[name],
    );
    if (left.files.length === 0 && !saysMore) return;
    const id = restOf(row.id);
    write(id, left, null);
    nameUploads(id, left);
  }

  /** As the server answers this request. */
  async function answer(address: string, init: RequestInit): Promise<Answer> {
    const url = new URL(address, 'http://model');
    const id = url.pathname.split('/').at(-1) ?? '';
    const { method } = init;
    const body = init.body as Blob | FormData | null;
    const json = body instanceof Blob && method !== 'PATCH' ? JSON.parse(await body.text()) : null;
    if (url.pathname === '/user/me') return [200, USER];
    if (url.pathname === '/api/capsules') {
      const headers = init.headers as Record<string, string>;
      return seal(headers['Idempotency-Key'] ?? '', body as FormData);
    }
    if (url.pathname.startsWith('/api/uploads/')) return upload(method, id, json, body);
    if (method === 'PUT') return save(id, json.base, json.content, json.writeId);
    if (method === 'DELETE') return discard(id, Number(url.searchParams.get('base')));
    const since = Number(url.searchParams.get('since'));
    const rows = [...drafts.values()]
      .filter((row) => row.revision > since)
      .sort((a, b) => a.revision - b.revision);
    const page = rows.slice(0, 3).map(present);
    return [200, { userId: USER.id, drafts: page, more: rows.length > 3, onlyOnDevice: false }];
  }

  function upload(
    method: string | undefined,
    id: string,
    json: { fileName: string; bytes: number; draft?: string } | null,
    body: Blob | FormData | null,
  ): Answer {
    if (method === 'POST' && json && !uploads.has(id)) {
      const { fileName, bytes, draft } = json;
      uploads.set(id, { fileName, bytes, received: 0, ...(draft !== undefined && { draft }) });
    }
    const found = uploads.get(id);
    if (!found) return refused(404, 'UPLOAD_NOT_FOUND');
    if (method === 'DELETE') {
      uploads.delete(id);
      return [200, { message: '' }];
    }
    if (method === 'PATCH') found.received += (body as Blob).size;
    const { bytes, received: offset } = found;
    const state = { id, bytes, offset, complete: offset === bytes };
    return [method === 'POST' ? 201 : 200, state];
  }

  return {
    drafts,
    uploads,
    capsules,
    person: { id: USER.id, name: 'Ada', email: 'ada@example.org', avatar: 'A', isYou: true },
    state: async () => ({
      drafts: [...drafts.values()].flatMap(({ id, content }) => (content ? [{ id, content }] : [])),
      capsules: [...capsules.values()],
      arrived: [...uploads.keys()].filter(isComplete),
    }),
    respond: async (address: string, init: RequestInit): Promise<Response> => {
      const [status, body] = await answer(address, init);
      return Response.json(body, { status, headers: { [XSRF_HEADER]: 'token' } });
    },
  };
}
