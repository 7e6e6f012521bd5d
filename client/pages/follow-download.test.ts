import { beforeEach, expect, it } from 'vitest';
import { CallError, networkError } from '../api/errors.ts';
import { toastStore } from '../components/toast.tsx';
import { followDownload } from './follow-download.ts';

const damaged = new CallError({ message: '', code: 'FILE_DAMAGED', status: 410 });

const texts = () => toastStore.get().shown.map(({ text }) => text);

beforeEach(() => toastStore.set({ shown: [] }));

it('a download that fails is told until it is tried again', async () => {
  await followDownload('a', Promise.reject(networkError()));
  await followDownload('b', Promise.reject(damaged));
  await followDownload('all', Promise.reject(networkError()), () => 'Too many at once.');
  expect(texts()).toEqual([
    'Failed to download file. Please try again.',
    expect.stringMatching(/^A file is damaged/),
    'Too many at once.',
  ]);
  await followDownload('a', Promise.resolve());
  await followDownload('all', Promise.resolve());
  expect(texts()).toHaveLength(1);
});
