import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../app-error.ts';
import {
  BOUNDARY,
  filePart,
  form,
  LIMITS,
  multipart,
  receiver,
  typed,
} from './multipart.support.ts';

describe('what is refused', () => {
  test.each<[string, string, FormData | Buffer | string, Record<string, string>?]>([
    ['another type', 'UNSUPPORTED_MEDIA_TYPE', '{}', { 'Content-Type': 'application/json' }],
    [
      'a compressed body',
      'UNSUPPORTED_MEDIA_TYPE',
      gzipSync('x'),
      { ...typed, 'Content-Encoding': 'gzip' },
    ],
    ['no boundary', 'MALFORMED_MULTIPART', 'x', { 'Content-Type': 'multipart/form-data' }],
    ['garbage', 'MALFORMED_MULTIPART', randomBytes(50_000), typed],
    ['an empty body', 'MALFORMED_MULTIPART', '', typed],
    [
      'a body without its end',
      'MALFORMED_MULTIPART',
      multipart([filePart('a', Buffer.from('x'))]).subarray(0, -6),
      typed,
    ],
    [
      'a header without its end',
      'MALFORMED_MULTIPART',
      `--${BOUNDARY}\r\nContent-Disposition: form-da`,
      typed,
    ],
    [
      'a header that never ends',
      'MALFORMED_MULTIPART',
      `--${BOUNDARY}\r\nX: ${'x'.repeat(40_000)}`,
      typed,
    ],
    ['a file under another name', 'MALFORMED_MULTIPART', form(['photo', new Blob(['x']), 'a'])],
    ['text where a file belongs', 'MALFORMED_MULTIPART', form(['files', 'x'])],
    ['two JSON parts', 'MALFORMED_MULTIPART', form(['capsule', '{}'], ['capsule', '{}'])],
    [
      'too many parts',
      'MALFORMED_MULTIPART',
      form(...Array.from({ length: 40 }, (): [string, string] => ['x', 'y'])),
    ],
    ['a long JSON field', 'PAYLOAD_TOO_LARGE', form(['capsule', 'x'.repeat(1_001)])],
    [
      'a long JSON Blob',
      'PAYLOAD_TOO_LARGE',
      form(['capsule', new Blob(['x'.repeat(1_001)]), 'blob']),
    ],
    [
      'a large file',
      'FILE_TOO_LARGE',
      form(['files', new Blob([Buffer.alloc(3_000_001)]), 'big.mp4']),
    ],
    [
      'four files',
      'TOO_MANY_FILES',
      form(
        ...Array.from({ length: 4 }, (): [string, Blob, string] => ['files', new Blob(['x']), 'a']),
      ),
    ],
    [
      'too much together',
      'PAYLOAD_TOO_LARGE',
      form(
        ...Array.from({ length: 2 }, (): [string, Blob, string] => [
          'files',
          new Blob([Buffer.alloc(2_100_000)]),
          'a',
        ]),
      ),
    ],
  ])('%s', async (_what, code, body, headers) => {
    const { post, outcome } = await receiver();
    expect(await post(body, headers)).toMatchObject({ code });
    await expect(outcome()).rejects.toBeInstanceOf(AppError);
  });

  test('a file that is exactly as large as allowed is not', async () => {
    const { post } = await receiver();
    const body = form(
      ['files', new Blob([Buffer.alloc(LIMITS.fileBytes)]), 'a'],
      ['capsule', 'x'.repeat(1_000)],
    );
    expect((await post(body)).files).toHaveLength(1);
  });

  test('a sentence names the file and the limit, unless the caller has its own', async () => {
    const body = () => form(['files', new Blob([Buffer.alloc(3_000_001)]), 'big.mp4']);
    const plain = await receiver();
    expect((await plain.post(body())).message).toBe(
      '"big.mp4" is too large. A file can be at most 2.9 MB.',
    );
    const own = await receiver({ limits: { ...LIMITS, tooLargeText: 'Less, please.' } });
    expect((await own.post(body())).message).toBe('Less, please.');
  });

  test('a body that announces too many bytes, before it is read', async () => {
    const { send, outcome } = await receiver();
    await send([
      'POST / HTTP/1.1',
      'Host: x',
      `Content-Type: ${typed['Content-Type']}`,
      'Content-Length: 99999999',
      '',
      '',
    ]);
    await expect(outcome()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  test('what onJson refuses, before any file is taken', async () => {
    const onFile = vi.fn();
    const { post } = await receiver({
      onFile,
      onJson: async () => Promise.reject(new AppError('UNLOCK_DAY_INVALID')),
    });
    const body = form(['capsule', '{}'], ['files', new Blob([randomBytes(2_000_000)]), 'a']);
    expect(await post(body)).toMatchObject({ code: 'UNLOCK_DAY_INVALID' });
    expect(onFile).not.toHaveBeenCalled();
  });

  test('what onFile refuses, with nothing of the file kept', async () => {
    const { post, store } = await receiver({
      onFile: async ({ stream }) => {
        const writing = store.write('refused', stream);
        stream.destroy(new AppError('FILE_TYPE_NOT_ACCEPTED'));
        await writing;
        return { name: '', sha256: '' };
      },
    });
    expect(await post(form(['files', new Blob([randomBytes(2_000_000)]), 'a']))).toMatchObject({
      code: 'FILE_TYPE_NOT_ACCEPTED',
    });
    expect(store.keys()).toEqual([]);
  });
});
