import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CurrentUser } from '../../shared/api/user.ts';

const ADA: CurrentUser = {
  id: '5f0c2d8e-6c1f-4a9e-9d8b-0b1d3c5e7f90',
  name: 'Ada',
  email: 'ada@example.com',
  bio: '',
  avatar: 'A',
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** The state as it starts in a browser whose storage holds `stored`. */
async function start(stored: Record<string, string>, forbidden = false) {
  const page = new EventTarget();
  const refuse = () => {
    if (forbidden) throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('window', page);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => {
      refuse();
      return stored[key] ?? null;
    },
    setItem: (key: string, value: string) => {
      refuse();
      stored[key] = value;
    },
    removeItem: (key: string) => {
      refuse();
      delete stored[key];
    },
  });
  const auth = await import('./use-session.ts');
  const otherTab = (key: string | null) =>
    page.dispatchEvent(Object.assign(new Event('storage'), { key }));
  return { auth, stored, otherTab };
}

describe('the sign-in state', () => {
  beforeEach(() => {
    vi.resetModules();
  });

  it('starts signed in when the flag is stored [4.auth.1]', async () => {
    expect((await start({ isLoggedIn: 'true' })).auth.authState().isLoggedIn).toBe(true);
  });

  it('starts signed out without it', async () => {
    expect((await start({})).auth.authState()).toEqual({ isLoggedIn: false, user: null });
  });

  it('stores the flag at sign-in, and clears it and the token at the end [3.entities.24]', async () => {
    const { auth, stored } = await start({ authToken: 'old', theme: 'dark' });
    await auth.signedIn(ADA);
    expect(stored).toMatchObject({ isLoggedIn: 'true' });
    expect(auth.authState().user).toEqual(ADA);

    auth.sessionEnded();
    expect(stored).toEqual({ theme: 'dark' });
    expect(auth.authState()).toEqual({ isLoggedIn: false, user: null });
  });

  it('follows another tab, and ignores keys of no concern', async () => {
    const { auth, stored, otherTab } = await start({});
    vi.stubGlobal('location', { pathname: '/create', search: '?draft=7' });
    await auth.signedIn(ADA);
    const before = auth.authState();
    delete stored.isLoggedIn;
    otherTab('theme');
    expect(auth.authState()).toBe(before);
    otherTab('isLoggedIn');
    expect(auth.authState()).toEqual({ isLoggedIn: false, user: null });
    expect(auth.sessionEnd(true)).toBe('elsewhere');
    // Who comes later, by another page, only wants to sign in.
    expect(auth.sessionEnd(false)).toBeNull();
    auth.noteSessionEnd('/dashboard');
    expect(auth.sessionEnd(false)).toBe('refused');
    await auth.signedIn(ADA);
    expect(auth.wantedPage()).toBe('/create?draft=7');
  });

  it('forgets at a sign-out in another tab what was wished for before it', async () => {
    const { auth, stored, otherTab } = await start({});
    vi.stubGlobal('location', { pathname: '/', search: '' });
    auth.rememberWantedPage('/create');
    stored.isLoggedIn = 'true';
    otherTab('isLoggedIn');
    expect(auth.wantedPage()).toBe('/create');
    delete stored.isLoggedIn;
    otherTab('isLoggedIn');
    expect(auth.wantedPage()).toBe('/dashboard');
  });

  it('ignores an answer about the person that arrives after signing out', async () => {
    const { auth } = await start({});
    auth.userChanged(ADA);
    expect(auth.authState().user).toBeNull();
  });

  it('works for as long as the page lives where storage is forbidden', async () => {
    const { auth } = await start({}, true);
    await auth.signedIn(ADA);
    expect(auth.authState()).toEqual({ isLoggedIn: true, user: ADA });
  });

  it('leads the next person to a capsule, not to what the former one searched for', async () => {
    const { auth } = await start({ isLoggedIn: 'true' });
    auth.noteSessionEnd('/dashboard?tab=received&q=divorce&capsule=7');
    expect(auth.wantedPage()).toBe('/dashboard?tab=received&capsule=7');
  });

  it.each(['/create?draft=7', '/profile/addresses'])(
    'leads back to %s only the person whose session has ended there, also after "Back"',
    async (page) => {
      const { auth } = await start({});
      await auth.signedIn(ADA);
      auth.noteSessionEnd(page);
      auth.rememberWantedPage('/create?draft=8');
      await auth.signedIn({ ...ADA, id: 'somebody else' });
      expect(auth.wantedPage()).toBe('/dashboard');
      await auth.signedIn(ADA);
      expect(auth.wantedPage()).toBe(page);
      auth.rememberWantedPage('/dashboard?capsule=7');
      expect(auth.wantedPage()).toBe('/dashboard?capsule=7');
    },
  );

  it('says that an account is ready only until somebody signs in', async () => {
    const { auth } = await start({});
    auth.newAccount.set({ email: ADA.email, mustVerify: true });
    await auth.signedIn(ADA);
    expect(auth.newAccount.get()).toEqual({ email: '', mustVerify: false });
  });
});
