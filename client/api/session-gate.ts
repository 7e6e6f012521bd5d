import { LOGOUT_PATH } from '../../shared/api/endpoint.ts';

/** What every call waits for before it carries the session's cookie. */
let gate: () => Promise<void> = async () => undefined;

/** Sets it, once for each page and worker. While it throws, no call is made. */
export function beforeCalls(wait: () => Promise<void>): void {
  gate = wait;
}

/** Whether the person has left in the end; null while nobody is leaving. */
let leaving: Promise<boolean> | null = null;

/**
 * Holds all other calls back while a person signs out: the session they would go out with is
 * about to end. They go on when the person stays after all.
 * @param signOut what calls only LOGOUT_PATH
 */
export async function whileLeaving(signOut: () => Promise<void>): Promise<void> {
  const left = signOut();
  leaving = left.then(
    () => true,
    () => false,
  );
  try {
    await left;
  } finally {
    leaving = null;
  }
}

/** `fetch`, as soon as the session's cookie may be used. */
export async function askServer(address: string, init: RequestInit): Promise<Response> {
  await (address === LOGOUT_PATH ? gate() : mayAskServer());
  return fetch(address, init);
}

/** For what cannot be sent by `fetch`. @throws when the session's cookie may not be used */
export async function mayAskServer(): Promise<void> {
  await gate();
  if (await leaving) throw new Error('The person has signed out.');
}
