import type { Addresses } from '../../shared/api/addresses.ts';
import type { Capsule, CapsulePage, DashboardSummary } from '../../shared/api/capsules.ts';
import type {
  AddedList,
  ContributionContent,
  ContributionLink,
} from '../../shared/api/contributions.ts';
import type { DraftContent } from '../../shared/api/drafts.ts';
import type { EmailChoices } from '../../shared/api/email-choices.ts';
import type { ReadyCapsule } from '../../shared/api/opened.ts';
import type { SiteLimits } from '../../shared/api/site.ts';
import type { CurrentUser, Recipient } from '../../shared/api/user.ts';

/* What the rows of this device's tables are. */

/** What the server may answer and the device caches. */
export type CachedBody =
  | CapsulePage
  | Capsule
  | DashboardSummary
  | CurrentUser
  | EmailChoices
  | Addresses
  | SiteLimits
  | AddedList
  | ContributionLink;

/** One answer of the server, see db/cache.ts. */
export interface CachedResponse {
  /** What was asked for, such as `created?page=2&query=` or `capsule/ID`. */
  key: string;
  body: CachedBody;
  /** When the server was asked, in milliseconds since 1970 by this device's clock. */
  fetchedAt: number;
  /** When this device last changed the answer itself, for a capsule that was sealed or deleted. */
  changedAt?: number;
  /** Capsules that the answer names. A deleted capsule is removed from every answer that names it. */
  capsuleIds: string[];
}

/** A chosen recipient. */
export interface ChosenRecipient extends Recipient {
  /**
   * Has no account, as far as this device knows, and is invited before the capsule is sent. The
   * `id` is the address.
   */
  toInvite?: boolean;
  /** Of somebody to invite: the name as it was typed. Without one the `name` is taken from the address. */
  givenName?: string;
}

/** What a person has typed into the create form. */
export interface DraftFields {
  title: string;
  description: string;
  recipients: ChosenRecipient[];
  /** `YYYY-MM-DD`, or empty while none is chosen. */
  dateToUnlock: string;
  notifyRecipient: boolean;
  personalMessage: string;
}

export const EMPTY_DRAFT: DraftFields = {
  title: '',
  description: '',
  recipients: [],
  dateToUnlock: '',
  notifyRecipient: false,
  personalMessage: '',
};

export interface DraftRow {
  /** The Idempotency-Key it is sent with. */
  id: string;
  fields: DraftFields;
  /** Ids of its files, in display order. */
  files: string[];
  updatedAt: number;
  /** Why it came back from the outbox, until that is dismissed or mended. */
  failure?: OutboxFailure | undefined;
  /** What another device has made of it, in a sentence, until that is dismissed. */
  news?: string | undefined;
  /** Shared from outside the app; any web page can do that, so it waits for the person's "Add". */
  isSetAside?: true;
  /** The person's choice for this draft: it is not saved to the account. Absent as long as they choose nothing. */
  onlyHere?: boolean;
  /** What the account has of it; absent before the first time that it is sent. */
  account?: DraftAccount;
}

/** What somebody types who adds to another person's draft. */
export interface ContributionFields {
  name: string;
  letter: string;
}

/** What somebody without an account adds to another person's draft, see db/contributions.ts. */
export interface ContributionRow extends LastTry {
  id: string;
  fields: ContributionFields;
  /** Ids of its files, in display order. */
  files: string[];
  updatedAt: number;
  /**
   * `writing`: it stays on this device until it is given. `taken-back`: the server is still to be told so.
   * The others are for good. `sealed`: it is in. `late`: it was sealed without it. `gone`: it was taken back
   * on another device, or removed by who asks, who can put it back. `elsewhere`: another device has gone on
   * with it. `ended`: its link had ended before it came.
   */
  state: 'writing' | 'given' | 'taken-back' | 'sealed' | 'late' | 'gone' | 'elsewhere' | 'ended';
  /** Of the link by which it is added; empty where it was opened by its personal link. */
  token: string;
  /** By which alone it is read, changed and taken back. */
  secret: string;
  /**
   * Takes the place of `secret` with the first save: another device has that one as well, because this one
   * came by a personal link.
   */
  newSecret?: string;
  /** What is told of the draft; names are empty while they are not known. */
  asked: Pick<ContributionLink, 'organiser' | 'title' | 'recipientNames' | 'dateToUnlock'>;
  /** What the server has of it; absent before its first answer. */
  known?: ContributionContent & { revision: number };
  /** On its way; whether the server has it is not known yet. It is sent again before anything newer. */
  sent?: ContributionContent;
}

/** When words were last sent, and what became of that. */
export interface LastTry {
  /** In milliseconds by this device's clock. */
  sentAt?: number;
  /** Why the server has not taken the newest words, in a sentence. */
  refusal?: string;
  /** The `updatedAt` of the row at that time: only words that were changed since are tried again at once. */
  refusedAt?: number;
}

/** What this device knows that the account has of a draft. */
export interface DraftAccount extends LastTry {
  /** 0 before the account has answered for the first time. */
  revision: number;
  content: DraftContent;
  /** The device on which that was written, where it is another one. */
  writtenOn?: string;
  /**
   * A write that is on its way: its id, by which the account says whether it has it, and what it says, for
   * that goes again as it was, and is what both have begun with once it has arrived.
   */
  unanswered?: { id: string; content: DraftContent };
  /** It came back from the outbox since the account was last asked: what another device has discarded meanwhile stays. */
  isReopened?: true;
}

/** A draft that is not on this device any more. */
export interface GoneDraftRow {
  id: string;
  /** Discarded here: what the account is still to be told, by what it had. */
  discarded?: DraftAccount;
  /** Discarded here, as the account knows by now. */
  wasDiscardedHere?: true;
  /** Sealed here, and what the account has of it was part of that. */
  wasSealedHere?: true;
  /** The draft under whose id it goes on. */
  goesOnAs?: string;
  /** What became of it on another device, until the person has read so. */
  news?: 'sealed' | 'discarded';
  fields: Pick<DraftFields, 'title'>;
  goneAt: number;
}

/**
 * How far this device has come with the drafts of the account, or, in the database that is nobody's who signs
 * in, with contributions: when they are due is decided alike.
 */
export interface ExchangeRow {
  /** The same in both: devices have it stored so. */
  key: 'drafts';
  /** The last revision that it has heard of. */
  since: number;
  /** Whether new drafts stay on the device that begins them. */
  onlyOnDevice: boolean;
  /** When the account was last asked, in milliseconds by this device's clock. */
  askedAt: number;
  /** It is to be asked now, however long ago that was. */
  asksAnew?: boolean;
  /** When it last heard of another device, by the same clock. */
  heardAt?: number;
  /** Runs that have failed in a row, and when to try again. */
  attempts: number;
  nextTryAt: number;
}

/** Somebody this person has chosen before, to be found without a connection too. */
export interface KnownPersonRow {
  id: string;
  person: ChosenRecipient;
}

/**
 * A picked file, copied so that it can be sent whenever there is a connection. It belongs to whatever names
 * it, a draft or an outbox item, and goes once nothing does.
 */
export interface Attachment {
  /** Also the id of its resumable upload. */
  id: string;
  name: string;
  /** MIME type as the browser judged it; the server judges by content. */
  type: string;
  bytes: number;
  /** Of the picked file, in milliseconds: tells whether the same file is picked twice. */
  lastModified: number;
  /** A small picture of it (WebP), where one could be made. */
  thumbnail: ArrayBuffer | null;
  /** False while it waits to be copied or is being copied, and when it is lost. */
  complete: boolean;
  /** The bytes could not be copied, or are damaged. The name stays, so that the person can be told. */
  lost?: boolean;
  /** The server has been told of it as a resumable upload. */
  announced: boolean;
  /** Picked on another device: its bytes are not on this one. */
  isElsewhere?: true;
  /** The account has all of it. */
  hasArrived?: true;
  /** Why the account did not take it, in a sentence, and when it said so. */
  refused?: { message: string; at: number };
}

/** An upload, by the id of its file, that the server is to cancel. */
export interface OrphanedUpload {
  id: string;
}

/** Up to UPLOAD_CHUNK_BYTES of an attachment. */
export interface Chunk {
  attachmentId: string;
  index: number;
  /** A Blob in rows of a version before. */
  bytes: ArrayBuffer | Blob;
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

export interface OutboxRow {
  /** The Idempotency-Key. */
  id: string;
  fields: DraftFields;
  /** Ids of its files, in display order. */
  files: string[];
  /** Where the person was when they sealed it: the day opens there. */
  timeZone: string;
  state: OutboxState;
  queuedAt: number;
  /** Sends that have failed since some of it last arrived. */
  attempts: number;
  nextTryAt: number;
  /** The whole capsule has been on its way, and nothing ruled out that it arrived: only the server knows. */
  mayHaveArrived: boolean;
  failure: OutboxFailure | null;
  totalBytes: number;
  /** What the server has confirmed of its files. */
  sentBytes: number;
  /** What the account had of the draft, as the person saw it when they sealed it. */
  account?: DraftAccount;
  /** Of the draft, see {@link DraftRow}. */
  onlyHere?: boolean;
}

/** What waits to be opened, as the server last said, and what was looked at on this device. */
export interface OpeningsRow {
  key: 'ready';
  /** How many wait, also beyond those that are named. */
  total: number;
  capsules: ReadyCapsule[];
  /** Newest last. A capsule that is looked at offline counts as well. */
  lookedAt: string[];
  /** Those looked at that the server has not heard of. */
  untold: string[];
  /** When the server was asked, by this device's clock; absent before the first time. */
  askedAt?: number;
}

/** A photograph of an opened capsule, as this device has shown it. */
export interface ShownFileRow {
  fileId: string;
  capsuleId: string;
  bytes: ArrayBuffer;
  /** Of `bytes`. */
  size: number;
  /** MIME type of `bytes`, which may be a smaller copy. */
  type: string;
  /** In pixels. */
  width: number;
  savedAt: number;
}

/**
 * A new id of a draft or a file. Also works on plain http, where browsers keep `crypto.randomUUID`
 * to themselves.
 */
export function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
