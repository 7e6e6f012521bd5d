/** What every call waits for before it carries the session's cookie. */
let gate: () => Promise<void> = async () => undefined;

/** Sets it, once for each page and worker. While it throws, no call is made. */
export function beforeCalls(wait: () => Promise<void>): void {
  gate = wait;
}

/** `fetch`, as soon as the session's cookie may be used. */
export async function askServer(address: string, init: RequestInit): Promise<Response> {
  await gate();
  return fetch(address, init);
}

/** For what cannot be sent by `fetch`. */
export function mayAskServer(): Promise<void> {
  return gate();
}
