/** No such address, domain or mailbox, one that is closed, or no reason given. */
const GONE = /^5\.(0\.0|1\.[0-6]|1\.9|1\.10|2\.[01]|4\.4)$/;

/**
 * Whether a status of RFC 3463 says that a mailbox takes no email for good. A full mailbox, a text
 * or a sender that is refused, or a server that is away says nothing about the address.
 */
export function isGone(status: string): boolean {
  return GONE.test(status);
}

/** The status in an answer such as `550 5.1.1 No such user`. Null without one. */
export function statusIn(answer: string): string | null {
  return /(?:^|\D)\d{3}[ -](?:#)?([245]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1] ?? null;
}
