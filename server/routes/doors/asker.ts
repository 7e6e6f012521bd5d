import type { Asker } from '../../domain/doors/passkey-sign-in.ts';
import type { AppContext } from '../../http/context.ts';

/** Looks the session up first: without one, the caller becomes a visitor with a cookie of their own. */
export async function askerOf(c: AppContext): Promise<Asker> {
  return (await c.get('findActor')()) ?? { visitor: c.get('binding') };
}
