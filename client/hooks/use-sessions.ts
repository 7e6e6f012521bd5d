import type { OwnPassword } from '../../shared/api/own-password.ts';
import { endOtherSessions, endSession, listSessions } from '../../shared/api/sessions.ts';
import { call } from '../api/client.ts';
import { orGone } from '../api/errors.ts';
import { useQuery } from './use-query.ts';

/** Where the person is signed in. */
export function useSessions() {
  const list = useQuery('sessions', (signal) => call(listSessions, { signal }));
  return {
    ...list,
    /** @throws {CallError} with `errors` by field */
    end: (id: string, password: OwnPassword) =>
      list.after(orGone(call(endSession, { params: { id }, body: { password } }))),
    /** @throws {CallError} with `errors` by field */
    endOthers: (password: OwnPassword) =>
      list.after(call(endOtherSessions, { body: { password } })),
  };
}
