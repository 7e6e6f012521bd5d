import type { OwnPassword } from '../../shared/api/own-password.ts';
import { getRecoveryCodes, makeRecoveryCodes } from '../../shared/api/recovery-codes.ts';
import { call } from '../api/client.ts';
import { useQuery } from './use-query.ts';

/** How many recovery codes are left. */
export function useRecoveryCodes() {
  const left = useQuery('recovery-codes', (signal) => call(getRecoveryCodes, { signal }));
  return {
    ...left,
    /** Makes new ones, which are shown only now. @throws {CallError} with `errors` by field */
    make: async (password: OwnPassword) =>
      (await left.after(call(makeRecoveryCodes, { body: { password } }))).codes,
  };
}
