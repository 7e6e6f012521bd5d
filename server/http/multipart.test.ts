import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { HEAD_BYTES } from '../files/sniff.ts';
import {
  BOUNDARY,
  filePart,
  form,
  multipart,
  receiver,
  type Stored,
  sha256,
  typed,
} from './multipart.support.ts';

const json = () => new Blob(['{"title":"é"}'], { type: 'application/json' });

describe('what is read', () => {
  test.each([
    [
      'a plain field before the files',
      () => form(['capsule', '{"title":"é"}'], ['files', new Blob(['x']), 'a']),
    ],
    [
      'a Blob before the files',
      () => form(['capsule', json(), 'blob'], ['files', new Blob(['x']), 'a']),
    ],
    [
      'a Blob after the files',
      () => form(['files', new Blob(['x']), 'a'], ['capsule', json(), 'blob']),
    ],
  ])('the JSON part as %s', async (_how, body) => {
    const { post } = await receiver();
    expect(await post(body())).toEqual({
      json: '{"title":"é"}',
      files: [{ name: 'a', sha256: sha256(Buffer.from('x')) }],
    });
  });

  test('files in their order, with their names and every byte', async () => {
    const contents = [randomBytes(2_500_000), Buffer.alloc(0), randomBytes(70_000)];
    const names = ['фото ✨.jpg', 'empty.pdf', 'a"b\\c.mp4'];
    const { post } = await receiver();
    const body = form(
      ...contents.map((bytes, index): [string, Blob, string] => [
        'files',
        new Blob([bytes]),
        names[index] ?? '',
      ]),
    );
    const { files } = await post(body);
    expect((files as Stored[]).map((file) => file.sha256)).toEqual(contents.map(sha256));
    // Browsers and Node write a quote as %22; the backslash is taken for a folder of Windows.
    expect((files as Stored[]).map((file) => file.name)).toEqual([names[0], names[1], 'c.mp4']);
  });

  test('the head of each file, which the stream yields again', async () => {
    const contents = [randomBytes(100_000), Buffer.from('short')];
    const heads: Buffer[] = [];
    const { post } = await receiver({
      onFile: async ({ name, head, stream }) => {
        heads.push(head);
        return { name, sha256: sha256(await buffer(stream)) };
      },
    });
    const { files } = await post(
      form(...contents.map((bytes): [string, Blob, string] => ['files', new Blob([bytes]), 'f'])),
    );
    expect(heads).toEqual([contents[0]?.subarray(0, HEAD_BYTES), contents[1]]);
    expect((files as Stored[]).map((file) => file.sha256)).toEqual(contents.map(sha256));
  });

  test('files that contain what looks like a boundary', async () => {
    const content = Buffer.from(`a\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r\n-\r\n`);
    const { post } = await receiver();
    const { files } = await post(multipart([filePart('a', content)]), typed);
    expect((files as Stored[])[0]?.sha256).toBe(sha256(content));
  });

  test('nothing of an empty file input, and of small fields nobody asked for', async () => {
    const empty =
      'Content-Disposition: form-data; name="files"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n';
    const { post } = await receiver();
    const body = multipart([
      Buffer.from(empty),
      Buffer.from('Content-Disposition: form-data; name="other"\r\n\r\nvalue'),
    ]);
    expect(await post(body, typed)).toEqual({ json: null, files: [] });
  });

  test('a part that its taker leaves unread', async () => {
    const { post } = await receiver({ onFile: async ({ name }) => ({ name, sha256: '' }) });
    const body = form(
      ['files', new Blob([randomBytes(2_000_000)]), 'a'],
      ['files', new Blob(['x']), 'b'],
    );
    expect((await post(body)).files).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });
});

describe('a client that stops', () => {
  const begin = [
    'POST / HTTP/1.1',
    'Host: x',
    `Content-Type: ${typed['Content-Type']}`,
    'Content-Length: 100000',
    '',
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="files"; filename="a"',
    '',
    'half of a file',
  ];

  test('goes away: the upload fails and nothing is kept', async () => {
    const { send, outcome, store } = await receiver();
    const client = await send(begin);
    const result = outcome();
    client.destroy();
    await expect(result).rejects.toMatchObject({ code: 'MALFORMED_MULTIPART' });
    expect(store.keys()).toEqual([]);
  });

  test('is gone before its body is read: that fails at once', async () => {
    const { send, outcome, store } = await receiver({}, (incoming) => once(incoming, 'close'));
    const client = await send(begin);
    const result = outcome();
    client.resetAndDestroy();
    await expect(result).rejects.toMatchObject({ code: 'MALFORMED_MULTIPART' });
    expect(store.keys()).toEqual([]);
  });

  test('sends nothing for too long: 408, and nothing is kept', async () => {
    const { send, outcome, store } = await receiver({ idleMs: 50 });
    const client = await send(begin);
    await expect(outcome()).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    const [answer] = await once(client, 'data');
    expect(String(answer)).toContain(' 408 ');
    expect(store.keys()).toEqual([]);
  });

  test('is not to blame while the server itself is slow', async () => {
    let go = () => {};
    const slow = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { post } = await receiver({ idleMs: 20, onJson: () => slow });
    const parts = Array.from({ length: 3 }, (): [string, Blob, string] => [
      'files',
      new Blob([Buffer.alloc(1_300_000)]),
      'a',
    ]);
    const answer = post(form(['capsule', '{}'], ...parts));
    setTimeout(go, 100);
    expect((await answer).files).toHaveLength(3);
  });
});
