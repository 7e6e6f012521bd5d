/** Somebody to block or report, as the app knows them. */
export interface AskedPerson {
  id: string;
  name: string;
}

/** A capsule to report, or a person. */
export interface AskedReport {
  capsule: { id: string; title: string; locked: boolean } | null;
  /** Null for somebody who has deleted their account. */
  person: AskedPerson | null;
}
