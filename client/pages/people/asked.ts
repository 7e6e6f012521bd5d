/** Somebody to block or report, as the app knows them. */
export interface AskedPerson {
  id: string;
  name: string;
}

/** A capsule to report, a person, or what somebody without an account has added to a capsule. */
export interface AskedReport {
  contribution?: { id: string; name: string };
  capsule: { id: string; title: string; locked: boolean } | null;
  /** Null for somebody who has deleted their account. */
  person: AskedPerson | null;
}
