import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Capsule } from '../../shared/api/capsules.ts';
import { IDEMPOTENCY_HEADER } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Actor, Deps } from '../deps.ts';
import { type EarlierCapsule, type KeyClaim, openKey } from '../domain/capsule-keys.ts';
import { openUploads, recallUploads } from '../domain/capsule-uploads.ts';
import { getCapsule } from '../domain/capsules.ts';
import { isUuid } from '../domain/is-uuid.ts';
import {
  type CheckedCapsule,
  checkNewCapsule,
  fingerprint,
  sealCapsule,
} from '../domain/new-capsule.ts';
import type { Hold, Receiving } from '../domain/receiving.ts';
import { holdStorage } from '../domain/storage-limit.ts';
import { discardFiles, discardRefused } from '../domain/stored-files.ts';
import { measure } from '../files/measure.ts';
import { receiveCapsule } from '../http/receive-capsule.ts';

type CreateDeps = Deps & { receiving: Receiving };

/** Takes a capsule in, once: with a key that has made one before, the first one is the answer. */
export async function createCapsule(
  deps: CreateDeps,
  actor: Actor,
  incoming: IncomingMessage,
): Promise<Capsule> {
  const key = idempotencyKey(incoming);
  const opened = key === null ? { claim: null } : await openKey(deps, actor, key);
  const id =
    'earlier' in opened
      ? await repeat(deps, actor, incoming, opened.earlier)
      : await receive(deps, actor, incoming, opened.claim);
  return getCapsule(deps, actor, id);
}

/** No transaction is open while the body streams; the files are on stable storage before the one that seals. */
async function receive(
  deps: CreateDeps,
  actor: Actor,
  incoming: IncomingMessage,
  claim: KeyClaim | null,
): Promise<string> {
  const written: string[] = [];
  const store = async (stream: Readable) => {
    const storageKey = `capsules/${deps.ids.uuid()}`;
    const stored = await deps.files.write(storageKey, stream);
    written.push(storageKey);
    return { ...stored, storageKey };
  };
  let sealing = false;
  let hold: Hold | undefined;
  try {
    let checked: CheckedCapsule | undefined;
    const announced = Number(incoming.headers['content-length'] ?? 0);
    // What is not file in a body is small beside the limit, and the seal counts exactly.
    hold = await holdStorage(deps, actor, {
      announced,
      expected: Math.max(0, announced - BODY_TEXT_BYTES),
    });
    const { files } = await receiveCapsule(deps, incoming, {
      keep: store,
      onFields: async (fields) => {
        checked = await checkNewCapsule(deps, fields);
      },
      onFileBytes: hold.add,
    });
    if (!checked) throw new AppError('MALFORMED_MULTIPART');
    const uploaded = await openUploads(deps, actor, checked.fields.uploads);
    sealing = true;
    // Before the seal and not behind it: nobody may find these bytes counted twice.
    hold.end();
    const id = await sealCapsule(deps, actor, { checked, files: [...files, ...uploaded], claim });
    claim?.stop();
    return id;
  } catch (error) {
    hold?.end();
    if (sealing) await discardRefused(deps, written, error);
    else await discardFiles(deps, written);
    await claim?.release();
    throw error;
  }
}

/** What the text of a capsule and the framing of its files may take. */
const BODY_TEXT_BYTES = 1_500_000;

/** Reads all of it, keeps none: only the same fields and bytes get the first capsule back. */
async function repeat(
  deps: Deps,
  actor: Actor,
  incoming: IncomingMessage,
  earlier: EarlierCapsule,
): Promise<string> {
  // Nothing is kept of a repeat: the measures of its files are all it takes to know it.
  const { fields, files } = await receiveCapsule(deps, incoming, { keep: measure });
  const uploaded = await recallUploads(deps, actor, fields.uploads, earlier.capsuleId);
  if (fingerprint(fields, [...files, ...uploaded]) !== earlier.fingerprint) {
    throw new AppError('IDEMPOTENCY_KEY_REUSED');
  }
  return earlier.capsuleId;
}

/** @throws VALIDATION_FAILED when it is there and not a UUID. */
function idempotencyKey(incoming: IncomingMessage): string | null {
  const header = incoming.headers[IDEMPOTENCY_HEADER.toLowerCase()];
  if (header === undefined) return null;
  if (typeof header === 'string' && isUuid(header)) return header;
  const message = `${IDEMPOTENCY_HEADER} must be one UUID.`;
  throw new AppError('VALIDATION_FAILED', { message, errors: { [IDEMPOTENCY_HEADER]: message } });
}
