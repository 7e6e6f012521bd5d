import { beforeEach, expect, it } from 'vitest';
import { CallError, networkError } from '../../api/errors.ts';
import { toastStore } from '../../components/toast.tsx';
import { saved } from './saving.ts';

const damaged = new CallError({ message: '', code: 'FILE_DAMAGED', status: 410 });

const texts = () => toastStore.get().shown.map(({ text }) => text);

beforeEach(() => toastStore.set({ shown: [] }));

it('a download that fails names its file, until it is tried again', async () => {
  await saved('a', Promise.reject(networkError()), 'Film.mp4');
  await saved('b', Promise.reject(damaged), 'Letter.pdf');
  await saved('all', Promise.reject(networkError()));
  expect(texts()).toEqual([
    'Failed to download file. Please try again. The file is “Film.mp4”.',
    expect.stringMatching(/^A file is damaged .+ The file is “Letter.pdf”\.$/),
    'Failed to download file. Please try again.',
  ]);
  await saved('a', Promise.resolve(), 'Film.mp4');
  await saved('all', Promise.resolve());
  expect(texts()).toHaveLength(1);
});
