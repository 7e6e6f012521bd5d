import {
  type Addresses,
  type AddressSlot,
  changeEmail,
  getAddresses,
  keepEmail,
  setSecondEmail,
  stopPassword,
  withdrawAddress,
} from '../../shared/api/addresses.ts';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { call } from '../api/client.ts';
import { ADDRESSES_KEY, putResponse } from '../db/cache.ts';
import { useMe } from './use-people.ts';
import { useKey, useResource } from './use-resource.ts';

interface NewAddress {
  email: string;
  password: OwnPassword;
}

/** The person's addresses, and what changes them: each throws a CallError, some with `errors` by field. */
export function useAddresses() {
  const resource = useResource<Addresses>(useKey(ADDRESSES_KEY), (signal) =>
    call(getAddresses, { signal }),
  );
  const me = useMe();

  const settle = async (addresses: Addresses) => {
    // On a full device the server is asked again.
    await putResponse(ADDRESSES_KEY, addresses, Date.now()).catch(resource.refresh);
    // The dashboard warns of an address that fails, and of a new password.
    void me.refresh();
  };
  const secondEmail = async (email: string | null, password: OwnPassword) =>
    settle((await call(setSecondEmail, { body: { email, password } })).addresses);

  return {
    ...resource,
    changeMain: async (to: NewAddress) => settle((await call(changeEmail, { body: to })).addresses),
    changeSecond: ({ email, password }: NewAddress) => secondEmail(email, password),
    removeSecond: (password: OwnPassword) => secondEmail(null, password),
    withdraw: async (which: AddressSlot) =>
      settle(await call(withdrawAddress, { params: { which } })),
    /** Says that the main address works. */
    keepMain: async () => settle(await call(keepEmail)),
    /** Stops the new password that waits. @param password the one that counts */
    stopPassword: async (password: OwnPassword) =>
      settle(await call(stopPassword, { body: { password } })),
  };
}
