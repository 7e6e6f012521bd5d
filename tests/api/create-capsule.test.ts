import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import { IDEMPOTENCY_HEADER, XSRF_HEADER } from '../../shared/limits.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import {
  type Answer,
  answerOf,
  capsuleForm,
  PASSWORD,
  type SignedIn,
  signUp,
} from '../support/client.ts';
import { clip, type FixtureFile, pdf, photo, sha256 } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';
import { storedKeys as keysIn } from '../support/stored-keys.ts';

const server = sharedServer({
  clock: '2029-12-20T12:00:00Z',
  config: { maxFileMB: 1, storageLimitMB: 3 },
});
let creator: SignedIn;
let recipient: SignedIn;

beforeAll(async () => {
  recipient = await signUp(server.url, 'Recipient');
});

let people = 0;
async function newCreator(): Promise<SignedIn> {
  people += 1;
  return signUp(server.url, `Creator ${people}`);
}

const codeOf = (answer: Answer) => errorBodySchema.parse(answer.json).code;

const storedKeys = () => keysIn(server.deps.config);

/** Bytes that begin as an MP4 does. */
function video(name: string, bytes: number): FixtureFile {
  const head = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');
  return {
    name,
    type: 'video/mp4',
    bytes: Buffer.concat([head, Buffer.alloc(bytes - head.length, 7)]),
  };
}

describe('creating', () => {
  it('gives the same bytes back on the day, under the same names', async () => {
    creator = await newCreator();
    const files = [await photo('Ünïcode “photo”.jpg'), await clip(), pdf()];
    const { id } = await seal(creator, recipient, {}, files);
    server.clock.set('2030-01-01T00:00:00Z');
    const { fileInfo } = (await recipient.get(`/api/capsules/${id}`)).json as Capsule;
    expect(fileInfo.map((file) => [file.fileName, file.fileType])).toEqual(
      files.map((file) => [file.name, file.type]),
    );
    for (const [index, { fileId }] of fileInfo.entries()) {
      const answer = await recipient.get(`/api/capsules/download/${fileId}`);
      expect(sha256(answer.bytes)).toBe(sha256(files[index]?.bytes ?? Buffer.alloc(0)));
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      const part = await recipient.get(`/api/capsules/download/${fileId}`, { range: 'bytes=5-9' });
      expect([part.status, part.bytes.equals(answer.bytes.subarray(5, 10))]).toEqual([206, true]);
    }
    const stranger = await signUp(server.url, 'Stranger');
    expect((await stranger.get(`/api/capsules/download/${fileInfo[0]?.fileId}`)).status).toBe(404);
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('takes the JSON as a plain field and after the files too', async () => {
    creator = await newCreator();
    const form = new FormData();
    const { bytes, name } = pdf();
    form.append('files', new Blob([new Uint8Array(bytes)]), name);
    form.append('capsule', JSON.stringify(capsuleFields(recipient)));
    const answer = await creator.request('POST', '/api/capsules', { body: form });
    expect([answer.status, (answer.json as Capsule).mediaCount]).toEqual([201, 1]);
  });

  it('may be a letter to oneself, which is in both lists and counts once', async () => {
    const alone = await newCreator();
    const { id } = await seal(alone, alone);
    for (const list of ['created', 'received']) {
      const { capsules } = (await alone.get(`/api/capsules/${list}`)).json as {
        capsules: Capsule[];
      };
      expect(capsules.map((capsule) => [capsule.id, capsule.type])).toEqual([[id, list]]);
    }
    expect((await alone.get('/api/capsules/dashboard-summary')).json).toMatchObject({
      totalCapsules: 1,
      createdCapsules: 1,
      receivedCapsules: 1,
      lockedCapsules: 1,
      nextUnlocks: [{ id, type: 'created', daysRemaining: 12 }],
    });
  });
});

describe('what is refused', () => {
  beforeAll(async () => {
    creator = await newCreator();
  });

  async function refused(answer: Promise<Answer>, status: number, code: string): Promise<Answer> {
    const found = await answer;
    expect([found.status, codeOf(found)]).toEqual([status, code]);
    const { capsules } = (await creator.get('/api/capsules/created')).json as {
      capsules: Capsule[];
    };
    expect(capsules).toEqual([]);
    return found;
  }

  it('an unregistered recipient, by name, with nothing kept [5.create.2]', async () => {
    const before = await storedKeys();
    const fields = capsuleFields(recipient, {
      recipientEmails: ['gone@example.org', recipient.user.email],
    });
    // The JSON part last: the files are on disk before it is known to be wrong.
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(pdf().bytes)]), 'a.pdf');
    form.append('capsule', JSON.stringify(fields));
    const answer = await refused(
      creator.request('POST', '/api/capsules', { body: form }),
      400,
      'RECIPIENT_NOT_REGISTERED',
    );
    expect(answer.text).toContain('gone@example.org');
    expect(answer.text).not.toContain(recipient.user.email);
    expect(await storedKeys()).toEqual(before);
  });

  it.each([
    [
      'a web page that calls itself a photo',
      Buffer.from('<!doctype html><script>alert(1)</script>'),
    ],
    ['a program', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['nothing at all', Buffer.alloc(0)],
  ])('%s', async (_, bytes) => {
    const before = await storedKeys();
    const files = [pdf(), { name: 'photo.jpg', type: 'image/jpeg', bytes }];
    const answer = await refused(
      creator.createCapsule(capsuleFields(recipient), files),
      415,
      'FILE_TYPE_NOT_ACCEPTED',
    );
    expect(answer.text).toContain('photo.jpg');
    expect(await storedKeys()).toEqual(before);
  });

  it('a file over the limit, and too many files', async () => {
    const before = await storedKeys();
    await refused(
      creator.createCapsule(capsuleFields(recipient), [video('big.mp4', 1_048_577)]),
      413,
      'FILE_TOO_LARGE',
    );
    const many = Array.from({ length: 21 }, (_, index) => pdf(`${index}.pdf`));
    await refused(creator.createCapsule(capsuleFields(recipient), many), 413, 'TOO_MANY_FILES');
    expect(await storedKeys()).toEqual(before);
  });

  it('bodies that are not what they say', async () => {
    const send = (body: string, type: string) =>
      creator.request('POST', '/api/capsules', { body, headers: { 'content-type': type } });
    await refused(send('{}', 'application/json'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    await refused(send('x', 'multipart/form-data'), 400, 'MALFORMED_MULTIPART');
    await refused(send('garbage', 'multipart/form-data; boundary=b'), 400, 'MALFORMED_MULTIPART');
    await refused(send('--b--\r\n', 'multipart/form-data; boundary=b'), 400, 'MALFORMED_MULTIPART');
    const notJson =
      '--b\r\nContent-Disposition: form-data; name="capsule"\r\n\r\n{oops\r\n--b--\r\n';
    await refused(send(notJson, 'multipart/form-data; boundary=b'), 400, 'MALFORMED_BODY');
  });

  it('an upload whose sender goes away, with nothing left behind', async () => {
    const before = await storedKeys();
    const form = new Response(capsuleForm(capsuleFields(recipient), [video('half.mp4', 900_000)]));
    const body = Buffer.from(await form.arrayBuffer());
    const sent = request(`${server.url}/api/capsules`, {
      method: 'POST',
      headers: {
        'content-type': String(form.headers.get('content-type')),
        'content-length': body.length,
        cookie: await creator.jar.getCookieString(server.url),
        [XSRF_HEADER]: String(await creator.cookie('XSRF-TOKEN')),
      },
    });
    sent.on('error', () => {});
    await new Promise((resolve) => sent.write(body.subarray(0, 600_000), resolve));
    // Otherwise nothing may have arrived yet, and what does is the next test's.
    await expect.poll(async () => (await storedKeys()).length).toBe(before.length + 1);
    sent.destroy();
    await expect.poll(storedKeys).toEqual(before);
  });
});

describe('the storage limit', () => {
  it('lets exactly one of many uploads through that fit only alone', async () => {
    creator = await newCreator();
    const before = (await storedKeys()).length;
    const files = [video('a.mp4', 1_000_000), video('b.mp4', 900_000)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => creator.createCapsule(capsuleFields(recipient), files)),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status !== 201)) {
      expect([answer.status, codeOf(answer)]).toEqual([413, 'STORAGE_LIMIT_REACHED']);
    }
    expect((await storedKeys()).length).toBe(before + 2);
    expect((await creator.get('/api/capsules/dashboard-summary')).json).toMatchObject({
      storageUsed: { percentageUsed: 60.4, totalMB: 1.8, limitMB: 3 },
    });
  });

  it('takes nothing more from who has more than a lowered limit, letters included', async () => {
    creator = await newCreator();
    const { config } = server.deps;
    answerOf(
      createCapsule,
      await creator.createCapsule(capsuleFields(recipient), [video('a.mp4', 1_000_000)]),
    );
    const before = config.storageLimitMB;
    Object.assign(config, { storageLimitMB: 0.5 });
    onTestFinished(() => void Object.assign(config, { storageLimitMB: before }));
    for (const files of [[], [pdf()]]) {
      const more = await creator.createCapsule(capsuleFields(recipient), files);
      expect([more.status, codeOf(more)]).toEqual([413, 'STORAGE_LIMIT_REACHED']);
    }
  });
});

describe('bytes that are being received', () => {
  it('are refused as soon as they are more than there is room for', async () => {
    const person = await newCreator();
    const files = ['a', 'b', 'c', 'd'].map((name) => video(`${name}.mp4`, 900_000));
    const form = new Response(capsuleForm(capsuleFields(recipient), files));
    const body = Buffer.from(await form.arrayBuffer());
    // No length is announced, and the end never comes.
    const sent = request(`${server.url}/api/capsules`, {
      method: 'POST',
      headers: {
        'content-type': String(form.headers.get('content-type')),
        cookie: await person.jar.getCookieString(server.url),
        [XSRF_HEADER]: String(await person.cookie('XSRF-TOKEN')),
      },
    });
    sent.on('error', () => {});
    const answer = once(sent, 'response');
    sent.write(body.subarray(0, -100));
    const [response] = await answer;
    response.resume();
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  rare('refuse no more of twenty than do not fit, and nobody afterwards', async () => {
    const person = await newCreator();
    const files = [video('a.mp4', 1_000_000)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => person.createCapsule(capsuleFields(recipient), files)),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    const refused = answers.filter((answer) => answer.status !== 201).map(codeOf);
    expect(new Set(refused)).toEqual(new Set(['STORAGE_LIMIT_REACHED']));
    const made = answers.find((answer) => answer.status === 201)?.json;
    const path = `/api/capsules/${(made as Capsule).id}`;
    expect((await person.delete(path)).status).toBe(200);
    // In the bin it counts on.
    expect(codeOf(await person.createCapsule(capsuleFields(recipient), files))).toBe(
      'STORAGE_LIMIT_REACHED',
    );
    const forGood = { json: { password: PASSWORD } };
    expect((await person.request('DELETE', `${path}?now=true`, forGood)).status).toBe(200);
    expect((await person.createCapsule(capsuleFields(recipient), files)).status).toBe(201);
  });
});

describe('an Idempotency-Key', () => {
  beforeAll(async () => {
    creator = await newCreator();
  });

  const count = async () =>
    ((await creator.get('/api/capsules/created')).json as { pagination: { totalItems: number } })
      .pagination.totalItems;
  const create = (key: string, change = {}, files = [pdf()]) =>
    creator.createCapsule(capsuleFields(recipient, change), files, { [IDEMPOTENCY_HEADER]: key });

  it('gives the first capsule again, on a later day and with its day long past too', async () => {
    const key = randomUUID();
    const first = await create(key);
    const keys = await storedKeys();
    const second = await create(key);
    expect([second.status, second.text]).toEqual([201, first.text]);
    server.clock.set('2030-01-10T00:00:00Z');
    expect(await create(key)).toMatchObject({
      status: 201,
      json: { id: (first.json as Capsule).id },
    });
    server.clock.set('2029-12-20T12:00:00Z');
    expect(await storedKeys()).toEqual(keys);
    expect(await count()).toBe(1);
  });

  it('makes one capsule of many requests at once; the others are told to wait or get it', async () => {
    const key = randomUUID();
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(key)));
    const made = answers.filter((answer) => answer.status === 201);
    expect(new Set(made.map((answer) => (answer.json as Capsule).id)).size).toBe(1);
    for (const answer of answers.filter((one) => one.status !== 201)) {
      expect([answer.status, codeOf(answer)]).toEqual([409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
    }
    expect(await count()).toBe(before + 1);
  });

  it('refuses another body', async () => {
    const key = randomUUID();
    await create(key);
    for (const other of [
      create(key, { title: 'Another' }),
      create(key, {}, [pdf('other name.pdf')]),
      create(key, {}, [pdf('The letter.pdf', 'other bytes')]),
      create(key, {}, []),
    ]) {
      const answer = await other;
      expect([answer.status, codeOf(answer)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
  });

  it('is free again after a failure, and after the process that held it died', async () => {
    const key = randomUUID();
    expect((await create(key, { recipientEmails: ['gone@example.org'] })).status).toBe(400);
    expect((await create(key)).status).toBe(201);

    const orphaned = randomUUID();
    await server.deps.db.execute(
      `insert into capsule_keys (user_id, key, state, lease_until, claim)
       values ('${creator.user.id}', '${orphaned}', 'receiving', '2029-12-20T12:01:00Z', '${randomUUID()}')`,
    );
    expect((await create(orphaned)).status).toBe(409);
    server.clock.set('2029-12-20T12:02:00Z');
    expect((await create(orphaned)).status).toBe(201);
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('does not bring a deleted capsule back', async () => {
    const key = randomUUID();
    const { id } = (await create(key)).json as Capsule;
    expect((await creator.delete(`/api/capsules/${id}`)).status).toBe(200);
    const answer = await create(key);
    expect([answer.status, codeOf(answer)]).toEqual([410, 'CAPSULE_DELETED']);
  });

  it('belongs to one person, and must be a UUID', async () => {
    const key = randomUUID();
    const first = (await create(key)).json as Capsule;
    const other = await signUp(server.url, 'Other keyholder');
    const theirs = await other.createCapsule(capsuleFields(recipient), [pdf()], {
      [IDEMPOTENCY_HEADER]: key,
    });
    expect(theirs.status).toBe(201);
    expect((theirs.json as Capsule).id).not.toBe(first.id);
    expect((await create('not-a-uuid')).status).toBe(400);
  });
});

describe('a store that fails', () => {
  it('leaves no capsule, and the key free', async () => {
    const files = server.deps.files;
    const write = files.write;
    creator = await newCreator();
    const key = { [IDEMPOTENCY_HEADER]: randomUUID() };
    try {
      files.write = async (_, source: Readable) => {
        source.destroy();
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      };
      const failed = await creator.createCapsule(capsuleFields(recipient), [pdf()], key);
      expect(failed.status).toBe(500);
      expect(failed.text).not.toContain('no space');
    } finally {
      files.write = write;
    }
    expect((await creator.createCapsule(capsuleFields(recipient), [pdf()], key)).status).toBe(201);
  });
});
