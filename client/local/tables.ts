import type { Capsule, CapsuleType, DashboardSummary } from '../../shared/api/capsules.ts';
import type { SiteLimits } from '../../shared/api/site.ts';
import type { CurrentUser, Recipient } from '../../shared/api/user.ts';
import type { Pagination } from '../../shared/pagination.ts';
import type { OPENINGS, PENDING_SIGN_OUT } from './names.ts';

/* What the rows of this device's tables are. */

/** Whose a row is: a user id. Nobody else's screen ever reads it. */
export interface Owned {
  owner: string;
}

/** Something the server said, and when (milliseconds since 1970, this device's clock). */
export interface Fetched {
  fetchedAt: number;
}

export interface CapsuleRow extends Owned, Fetched {
  id: string;
  capsule: Capsule;
  /** The lists it was seen in; a letter to oneself is in both, one only opened by link in none. */
  lists: CapsuleType[];
}

export interface ListRow extends Owned, Fetched {
  type: CapsuleType;
  /** What was searched for; empty for the whole list. */
  query: string;
  page: number;
  ids: string[];
  pagination: Pagination;
}

export interface SummaryRow extends Owned, Fetched {
  year: number;
  summary: DashboardSummary;
}

export interface ProfileRow extends Owned, Fetched {
  user: CurrentUser;
}

export interface LimitsRow extends Owned, Fetched {
  limits: SiteLimits;
}

/** What a person has typed into the create form. */
export interface DraftFields {
  title: string;
  description: string;
  recipients: Recipient[];
  /** `YYYY-MM-DD`, or empty while none is chosen. */
  dateToUnlock: string;
  notifyRecipient: boolean;
  personalMessage: string;
}

export interface DraftRow extends Owned {
  /** The Idempotency-Key it is sent with. */
  id: string;
  fields: DraftFields;
  updatedAt: number;
  /** Why it came back from the outbox; absent once that is dismissed. */
  failure?: OutboxFailure;
}

/** Somebody this person has chosen before, to be found without a connection too. */
export interface KnownPersonRow extends Owned {
  id: string;
  person: Recipient;
}

/** A picked file, copied so that it can be sent whenever there is a connection. */
export interface KeptFileRow extends Owned {
  /** Also the id of its resumable upload. */
  id: string;
  /** Of the draft it was picked for, and of the queued capsule that the draft becomes. */
  capsuleId: string;
  name: string;
  /** MIME type as the browser judged it; the server judges by content. */
  type: string;
  bytes: number;
  /** Of the picked file, in milliseconds: so that it is not picked twice. */
  lastModified: number;
  /** A small picture of it (WebP), where one could be made. */
  thumbnail: ArrayBuffer | null;
  addedAt: number;
  /** False while it waits to be copied or is being copied, and when it is lost. */
  complete: boolean;
  /** Its bytes are not here and never will be: only its name is kept, to be told of. */
  lost?: boolean;
  /** The server has been told of it as a resumable upload. */
  announced: boolean;
}

/** An upload, by the id of its file, that the server is to give up. */
export interface AbandonedRow extends Owned {
  id: string;
}

/** Up to UPLOAD_CHUNK_BYTES of a kept file. */
export interface KeptChunk {
  /** A blob where the browser copies its bytes itself, see local/keeps-blobs.ts. */
  bytes: ArrayBuffer | Blob;
  /** SHA-256; null where the browser has none (plain http). */
  digest: ArrayBuffer | null;
}

/** A chunk that was kept by version 3 of the tables. */
export interface ChunkRow extends Owned, KeptChunk {
  fileId: string;
  index: number;
}

/**
 * Where a queued capsule stands: `queued` and `retry-at` wait for their time, `sending` is on
 * its way, the others wait for the person.
 */
export type OutboxState =
  | 'queued'
  | 'sending'
  | 'retry-at'
  | 'needs-sign-in'
  | 'needs-fix'
  | 'storage-full';

export interface OutboxFailure {
  /** A code of the error catalogue, or of what went wrong before the server answered. */
  code: string;
  message: string;
  /** One sentence for each refused field. */
  errors: Record<string, string>;
}

export interface OutboxRow extends Owned {
  /** The Idempotency-Key. */
  id: string;
  fields: DraftFields;
  /** Where the person was when they sealed it: the day opens there. */
  timeZone: string;
  state: OutboxState;
  queuedAt: number;
  /** Sends that have failed since some of it last arrived. */
  attempts: number;
  nextTryAt: number;
  /** The whole capsule was sent once and no answer came: only the server knows. */
  mayHaveArrived: boolean;
  /** Of no meaning: an older version of the app, in another tab, takes a row without it for damaged. */
  inParts: false;
  failure: OutboxFailure | null;
  fileCount: number;
  totalBytes: number;
  /** What the server has confirmed of its files. */
  sentBytes: number;
}

/**
 * One device, one person at a time: the row `owner` names who the screens belong to,
 * `last-owner` whose session ended by itself with nobody after them yet. `pending-sign-out`
 * is what local/pending-sign-out.ts knows of, `openings` what local/openings.ts does.
 */
export interface MetaRow {
  key: 'owner' | 'last-owner' | typeof PENDING_SIGN_OUT | typeof OPENINGS;
  value: string;
}
