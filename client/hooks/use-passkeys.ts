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
    async add(password: OwnPassword) {
      await makePasskey(password);
      await list.refresh();
    },
    /** @throws {CallError} with `errors` by field */
    async choose(asksOnNewDevices: boolean, password: OwnPassword) {
      await call(choosePasskey, { body: { asksOnNewDevices, password } });
      await list.refresh();
    },
    /** @throws {CallError} with `errors` by field */
    async remove(id: string, password: OwnPassword) {
      await orGone(call(removePasskey, { params: { id }, body: { password } }));
      await list.refresh();
    },
  };
}
