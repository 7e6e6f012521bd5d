import { beforeEach, describe, expect, it } from 'vitest';
import { toastStore, toasts } from './toast.tsx';

const texts = () => toastStore.get().shown.map(({ text }) => text);

beforeEach(() => toastStore.set({ shown: [] }));

describe('toasts', () => {
  it('lets a success go by itself and keeps a failure until it is dismissed', () => {
    toasts.success('Welcome back!');
    const failure = toasts.failure('Failed to download file. Please try again.');
    const [shownSuccess, shownFailure] = toastStore.get().shown;
    expect(shownSuccess?.lifetime).toBeGreaterThan(0);
    expect(shownFailure?.lifetime).toBeNull();

    toasts.dismiss(failure);
    expect(texts()).toEqual(['Welcome back!']);
  });

  it('keeps an offer until it is answered', () => {
    toasts.offer('A new version is ready.', { label: 'Update', run: () => undefined });
    expect(toastStore.get().shown[0]).toMatchObject({ kind: 'neutral', lifetime: null });
  });

  it('says the same words once, as a new message', () => {
    const first = toasts.failure('Network Error');
    toasts.success('Saved');
    const second = toasts.failure('Network Error');
    expect(texts()).toEqual(['Saved', 'Network Error']);
    expect(second).not.toBe(first);
  });
});
