import type { OwnPassword } from '../../shared/api/own-password.ts';
import { choosePasskey, getPasskeyChoice } from '../../shared/api/passkey-choice.ts';
import { listPasskeys, removePasskey } from '../../shared/api/passkeys.ts';
import { call } from '../api/client.ts';
import { orGone } from '../api/errors.ts';
import { makePasskey } from './passkeys.ts';
import { useQuery } from './use-query.ts';

const ask = async (signal: AbortSignal) => {
  const calls = [call(listPasskeys, { signal }), call(getPasskeyChoice, { signal })] as const;
  const [passkeys, choice] = await Promise.all(calls);
  return { passkeys, ...choice };
};

/** The person's passkeys, and whether new devices are asked for one. */
export function usePasskeys() {
  const list = useQuery('passkeys', ask);
  return {
    ...list,
    /** @throws {CallError}, some with `errors` by field */
    add: (password: OwnPassword) => list.after(makePasskey(password)),
    /** @throws {CallError} with `errors` by field */
    choose: (asksOnNewDevices: boolean, password: OwnPassword) =>
      list.after(call(choosePasskey, { body: { asksOnNewDevices, password } })),
    /** @throws {CallError} with `errors` by field */
    remove: (id: string, password: OwnPassword) =>
      list.after(orGone(call(removePasskey, { params: { id }, body: { password } }))),
  };
}
