import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleCapsule, sampleId } from '../../tests/support/sample-capsule.ts';
import { type CapsuleUpload, uploadCapsule } from './upload.ts';

type Progress = Pick<ProgressEvent, 'lengthComputable' | 'loaded' | 'total'>;

/** The part of XMLHttpRequest that an upload touches; the test plays the server. */
class FakeRequest {
  static all: FakeRequest[] = [];
  upload: { onprogress?: (progress: Progress) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = '';
  withCredentials = false;
  headers: Record<string, string> = {};
  form: FormData | undefined;
  target = '';

  constructor() {
    FakeRequest.all.push(this);
  }
  open(method: string, path: string) {
    this.target = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return null;
  }
  send(form: FormData) {
    this.form = form;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

function request(index = 0): FakeRequest {
  const found = FakeRequest.all[index];
  if (!found) throw new Error(`no request ${index} was made`);
  return found;
}

function start(change: Partial<CapsuleUpload> = {}) {
  return uploadCapsule({
    capsule: {
      title: 'Lake',
      description: 'Winter',
      dateToUnlock: '2036-01-01',
      recipientEmails: ['grace@example.org'],
    },
    files: [new File(['one'], 'a.png'), new File(['two'], 'b.png')],
    idempotencyKey: sampleId(9),
    onProgress: () => undefined,
    ...change,
  });
}

beforeEach(() => {
  FakeRequest.all = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=token' });
});
afterEach(() => vi.unstubAllGlobals());

describe('uploadCapsule', () => {
  it('sends the JSON part first, then the files, under one key', async () => {
    const done = start();
    const { target, headers, form, withCredentials } = request();
    expect(target).toBe('POST /api/capsules');
    expect(headers).toMatchObject({ 'Idempotency-Key': sampleId(9), 'X-XSRF-TOKEN': 'token' });
    expect(withCredentials).toBe(true);
    expect([...(form?.keys() ?? [])]).toEqual(['capsule', 'files', 'files']);
    const json = form?.get('capsule') as Blob;
    expect(json.type).toBe('application/json');
    expect(JSON.parse(await json.text())).toMatchObject({ title: 'Lake' });

    request().answer(201, sampleCapsule(1));
    expect((await done).id).toBe(sampleId(1));
  });

  it('tells whole percents of the bytes that left', async () => {
    const seen: number[] = [];
    const done = start({ onProgress: (percent) => seen.push(percent) });
    for (const loaded of [0, 1, 2, 3]) {
      request().upload.onprogress?.({ lengthComputable: true, loaded, total: 3 });
    }
    request().upload.onprogress?.({ lengthComputable: false, loaded: 0, total: 0 });
    request().answer(201, sampleCapsule(1));
    await done;
    expect(seen).toEqual([0, 33, 67, 100]);
  });

  it('maps refusals, a lost network and a stop as any other call does', async () => {
    const refused = start();
    const errors = { title: 'Title is required' };
    request(0).answer(400, { message: 'Check', code: 'VALIDATION_FAILED', errors });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors });

    const lost = start();
    request(1).onerror?.();
    await expect(lost).rejects.toMatchObject({ message: 'Network Error' });

    const controller = new AbortController();
    const stopped = start({ signal: controller.signal });
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ message: 'Request aborted' });
  });

  it('tries once more when the token was stale', async () => {
    const done = start();
    request(0).answer(403, { message: 'Stale', code: 'XSRF_INVALID' });
    await vi.waitFor(() => expect(FakeRequest.all).toHaveLength(2));
    request(1).answer(201, sampleCapsule(1));
    expect((await done).id).toBe(sampleId(1));
    expect(request(1).headers['Idempotency-Key']).toBe(sampleId(9));
  });
});
