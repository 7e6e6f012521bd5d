import { useEffect, useMemo, useState } from 'react';
import type { CurrentUser } from '../../shared/api/user.ts';
import { onUnauthorized } from '../http/unauthorized.ts';
import { readProfile } from '../local/figures.ts';
import {
  claimDevice,
  forgetUnwritten,
  peekOwner,
  readOwner,
  releaseDevice,
} from '../local/owner.ts';
import { refreshMe } from '../sync/refresh.ts';
import { authState, isSettled, ownerSettled, useAuth, userChanged } from './auth.ts';
import { createExternalStore, useExternalStore } from './external-store.ts';
import { type Kept, useKept } from './use-kept.ts';
import { useLocal } from './use-local.ts';

// Rows without a session wait for their owner; the next person must not see them meanwhile.
onUnauthorized(() => void releaseDevice());

const claimed = new WeakSet<CurrentUser>();

/** Claims that the device had no room to write down: no change of a row tells of them. */
const unwritten = createExternalStore({ claims: 0 });

function noteClaim(isKept: boolean): void {
  ownerSettled();
  if (!isKept) unwritten.set({ claims: unwritten.get().claims + 1 });
}

/**
 * Whose rows the screens may show; null until that is certain. After a sign-in the
 * device must have become that person's first.
 */
export function useOwner(): string | null {
  const { isLoggedIn, user } = useAuth();
  const { claims } = useExternalStore(unwritten);
  const asked = useLocal(readOwner, [claims], null);
  const [seen] = useState(peekOwner);
  const stored = asked === undefined ? seen : asked;
  useEffect(() => {
    if (!user || claimed.has(user)) return;
    claimed.add(user);
    void claimDevice(user, Date.now()).then(noteClaim);
  }, [user]);
  useEffect(() => {
    if (!isLoggedIn) forgetUnwritten();
  }, [isLoggedIn]);
  if (!isLoggedIn || !stored) return null;
  const isTheirs = user ? user.id === stored : isSettled();
  return isTheirs ? stored : null;
}

/** The signed-in person, as the device knows them and as the server then says. */
export function useMe(): Kept<CurrentUser> {
  const owner = useOwner();
  const source = useMemo(
    () => ({
      read: async () => (owner === null ? null : ((await readProfile(owner))?.user ?? null)),
      refresh: async (signal: AbortSignal) => {
        const { user, isKept } = await refreshMe(signal);
        claimed.add(user);
        noteClaim(isKept);
        userChanged(user);
        return isKept ? null : user;
      },
    }),
    [owner],
  );
  const me = useKept(source);
  const kept = me.value;
  // Offline too, the rest of the app should know who this is.
  useEffect(() => {
    if (!kept || authState().user) return;
    claimed.add(kept);
    userChanged(kept);
  }, [kept]);
  return me;
}
