import { expect, it } from 'vitest';
import { CallError, networkError } from '../api/errors.ts';
import { toastStore } from '../components/toast.tsx';
import { followDownload } from './follow-download.ts';

const damaged = new CallError({ message: '', code: 'FILE_DAMAGED', status: 410 });

it('a download that fails says why', async () => {
  toastStore.set({ shown: [] });
  await followDownload(Promise.reject(networkError()));
  await followDownload(Promise.reject(damaged));
  await followDownload(Promise.reject(networkError()), () => 'Too many at once.');
  expect(toastStore.get().shown.map(({ text }) => text)).toEqual([
    'Failed to download file. Please try again.',
    expect.stringMatching(/^A file is damaged/),
    'Too many at once.',
  ]);
});
