/** Numbers both ends must agree on. Most are from specification §9. */

/** Bytes in one megabyte everywhere in the product. */
export const MEGABYTE = 1_048_576;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** Milliseconds in a day of 24 hours. */
export const DAY_MS = 86_400_000;

export const PASSWORD_MIN = 5;
/** In characters. Longer passwords are refused before they are hashed. */
export const PASSWORD_MAX = 1_000;
/** The minimum when `PASSWORD_POLICY=strict`. */
export const PASSWORD_STRICT_MIN = 8;

export const NAME_MIN = 2;
export const NAME_MAX = 50;
export const BIO_MAX = 500;
/** The longest email address of RFC 5321. */
export const EMAIL_MAX = 254;

/** Leads to the app past its worker, which answers every page but one with the name of a file. */
export const SIGN_IN_BETWEEN_PATH = '/sign-in.html';

export const AVATAR_MAX_BYTES = 5_242_880;

export const CAPSULES_PER_PAGE = 6;
export const CAPSULES_PER_PAGE_MAX = 50;

export const TITLE_MAX = 200;
export const DESCRIPTION_MAX = 2_000;
export const MESSAGE_MAX = 50_000;
export const RECIPIENTS_MAX = 50;
export const FILES_MAX = 20;
export const FILE_NAME_MAX = 255;
/** Defaults of `MAX_FILE_MB` and `STORAGE_LIMIT_MB`. */
export const FILE_MAX_MB_DEFAULT = 100;
export const STORAGE_LIMIT_MB_DEFAULT = 1_024;
/** All files of one capsule together may be this many times as large as the largest single file. */
export const CAPSULE_FILES_FACTOR = 5;

/**
 * The size of a chunk: one row on a device, one digest of an upload. A lost connection costs at
 * most one chunk.
 */
export const UPLOAD_CHUNK_BYTES = 4_194_304;
/** The smallest part of a resumable upload, unless it is the last one. */
export const UPLOAD_PART_MIN_BYTES = 65_536;
/** The largest part of a resumable upload: 64 chunks. */
export const UPLOAD_PART_MAX_BYTES = 268_435_456;
/** The sweep deletes an upload session that nobody has continued for this long. */
export const UPLOAD_KEPT_DAYS = 7;

/** Bounds of a draft of the account: beyond what can be sealed, since a draft may be wrong in everything. */
export const DRAFT_RECIPIENTS_MAX = 100;
export const DRAFT_FILES_MAX = 100;
/** Of apps of before. */
export const DRAFT_VERSIONS_MAX = 20;
/** A draft remembers the ids of this many writes. */
export const DRAFT_WRITES_KEPT = 30;
export const DRAFTS_PER_PAGE = 20;
/** Of a draft as JSON. */
export const DRAFT_MAX_BYTES = 2_000_000;

/** Default of `MAX_CONTRIBUTORS`: how many people can add to one draft by its link. */
export const CONTRIBUTORS_MAX_DEFAULT = 50;
/** All files of one of them together, in MB. */
export const CONTRIBUTION_MB = 20;
/** Of what one of them writes, as JSON: a letter in the longest way to write it, and the names of files. */
export const CONTRIBUTION_MAX_BYTES = 400_000;
/** How long what was added to a draft can be put back after its organiser has removed it. */
export const REMOVED_KEPT_DAYS = 7;
/** Of the organiser's words to those who are asked to add, in characters. */
export const CONTRIBUTION_WORDS_MAX = 2_000;

/** A capsule may be locked for at most this many years. */
export const UNLOCK_YEARS_MAX = 100;

export const USER_SEARCH_MIN = 2;
export const USER_SEARCH_DEBOUNCE_MS = 500;
export const USER_SEARCH_RESULTS_MAX = 20;
export const SEARCH_QUERY_MAX = 200;

/** How long a browser in which somebody has signed in stays known: as long as browsers keep a cookie. */
export const KNOWN_DEVICE_DAYS = 400;

/** Passkeys of one person. */
export const PASSKEYS_MAX = 20;
/** How many recovery codes are made at once. Each works once. */
export const RECOVERY_CODES = 8;
/** The most sessions that are listed of a person. */
export const SESSIONS_SHOWN_MAX = 100;

export const RESET_LINK_MINUTES = 5;
export const VERIFICATION_LINK_HOURS = 24;
/** How long a new address can be confirmed. */
export const ADDRESS_LINK_HOURS = 24;
/** How long a change of addresses can be undone. */
export const UNDO_DAYS = 7;
/** How long another address of the account can stop a new password. */
export const PASSWORD_WAITS_DAYS = 7;
/** Days in which an address is asked about new passwords after its change was undone, */
export const SAY_DAYS = 7;
/** unless that was within these minutes of the change. */
export const UNDONE_AT_ONCE_MINUTES = 60;
/** How long an invitation can be accepted or refused with the link of one email. */
export const INVITATION_LINK_DAYS = 365;
/** How long a deleted capsule can be brought back. */
export const BIN_DAYS = 7;
/** The most capsules that are listed of a bin. */
export const BIN_SHOWN_MAX = 100;
/** By one person. */
export const INVITATIONS_A_DAY = 20;
/** Of one address, by all people together and for ever. */
export const INVITATIONS_OF_ONE = 3;
/** By one person. */
export const REPORTS_A_DAY = 10;
export const REPORT_TEXT_MAX = 2_000;
/** So much is kept of what one person says of one thing: as much as they can say in a day. */
export const REPORT_TEXTS_MAX = REPORTS_A_DAY * REPORT_TEXT_MAX;
/** By one person. */
export const BLOCKED_MAX = 500;
export const REDIRECT_AFTER_RESET_MS = 3_000;

export const NEXT_UNLOCKS = 5;
/** A recipient who has not looked is reminded so long after the opening was announced. */
export const REMINDER_AFTER_DAYS = 30;
/** The most capsules that are announced in one answer. */
export const READY_MAX = 100;
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;

/** Keys of browser storage that the specification names. */
export const STORAGE_KEY_LOGGED_IN = 'isLoggedIn';
export const STORAGE_KEY_AUTH_TOKEN = 'authToken';

export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'X-XSRF-TOKEN';
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** What the link has with which others add to a draft. Never in an address. */
export const CONTRIBUTION_TOKEN_HEADER = 'Contribution-Token';
/** What only the device has that added something. */
export const CONTRIBUTION_SECRET_HEADER = 'Contribution-Secret';
/** Where in the file a part begins, in bytes. */
export const UPLOAD_OFFSET_HEADER = 'Upload-Offset';
/** SHA-256 of each chunk of a part, in its order: `:<base64>:, :<base64>:`. */
export const CHUNK_DIGESTS_HEADER = 'Upload-Chunk-Digests';

/** Characters of the address to which messages for a browser are sent. The longest ones have a few hundred. */
export const PUSH_ENDPOINT_MAX = 1_000;
