import { pipeline, type Readable, Transform } from 'node:stream';
import type { NewCapsule } from '../../../shared/api/new-capsule.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import { insertPending } from '../../db/storage/pending-files.ts';
import type { Deps, Wakes } from '../../deps.ts';
import type { StoredBytes } from '../../files/file-store.ts';
import { measure } from '../../files/measure.ts';
import { acceptedType } from '../../files/sniff.ts';
import { findRoom } from '../storage/storage-limit.ts';
import { removeUnlessNamed } from '../storage/stored-files.ts';
import { type EarlierCapsule, type KeyClaim, openKey } from './capsule-keys.ts';
import { openUploads, recallUploads } from './capsule-uploads.ts';
import { getCapsule } from './capsules.ts';
import { fingerprint } from './fingerprint.ts';
import {
  type CheckedCapsule,
  checkNewCapsule,
  type ReceivedFile,
  showLinksAgain,
} from './new-capsule.ts';
import { type SealedCapsule, sealCapsule } from './seal-capsule.ts';

type CreateDeps = Pick<
  Deps,
  'config' | 'db' | 'clock' | 'ids' | 'files' | 'limits' | 'log' | keyof Wakes
>;

/** A file on its way. `stream` yields all bytes, including those of `head`. */
interface IncomingFile {
  name: string;
  head: Buffer;
  stream: Readable;
}

export interface IncomingCapsule {
  /** The idempotency key. */
  key: string | null;
  /** Content-Length of the whole body, or 0 if unknown. */
  announcedBytes: number;
  /** By which browser it comes, in words. */
  device?: string;
  /** Throws once the person has invited as many as they may. */
  countInvitation: (email: string) => Promise<void>;
  /** The body, read as its parts are pulled: the fields once, and any number of files. */
  parts: AsyncIterable<{ fields: NewCapsule } | { file: IncomingFile }>;
}

/** The most that texts and multipart framing of a body take. */
const BODY_TEXT_BYTES = 1_500_000;

/** Creates a capsule. If the key has made one before, returns that one. */
export async function createCapsule(
  deps: CreateDeps,
  actor: Actor,
  incoming: IncomingCapsule,
): Promise<SealedCapsule> {
  const opened = incoming.key === null ? { claim: null } : await openKey(deps, actor, incoming.key);
  if ('earlier' in opened) {
    return repeat(deps, actor, incoming, opened.earlier);
  }
  return receive(deps, actor, incoming, opened.claim);
}

/**
 * All or nothing: after a failure no file stays stored and no key claimed.
 * No transaction is open while the body streams, and the files are on stable storage before
 * the transaction that seals.
 */
async function receive(
  deps: CreateDeps,
  actor: Actor,
  { parts, announcedBytes, device, countInvitation }: IncomingCapsule,
  claim: KeyClaim | null,
): Promise<SealedCapsule> {
  const written: string[] = [];
  let count: ((bytes: number) => void) | undefined;
  try {
    let checked: CheckedCapsule | undefined;
    const files: ReceivedFile[] = [];
    for await (const part of parts) {
      if ('fields' in part) {
        checked = await checkNewCapsule(deps, actor, part.fields);
        for (const { email } of checked.invitees) await countInvitation(email);
      } else {
        const { name, head } = part.file;
        // A letter without files needs none: the seal counts its texts.
        count ??= await findRoom(deps, actor, {
          announced: announcedBytes,
          // The least that the files take. The seal counts exactly.
          expected: Math.max(0, announcedBytes - BODY_TEXT_BYTES),
        });
        const type = await acceptedType(head, name);
        const storageKey = `capsules/${deps.ids.uuid()}`;
        await insertPending(deps.db, storageKey, deps.clock.now());
        const stored = await storeFile(deps, storageKey, part.file, count);
        written.push(storageKey);
        files.push({ ...stored, name, type, storageKey });
      }
    }
    if (!checked) throw new AppError('MALFORMED_MULTIPART');
    files.push(...(await openUploads(deps, actor, checked.fields.uploads)));
    const sealed = await sealCapsule(deps, actor, {
      checked,
      files,
      claim,
      device,
      countInvitation,
    });
    claim?.stop();
    return sealed;
  } catch (error) {
    await removeUnlessNamed(deps, written, error);
    const released = claim?.release();
    // While the database is away, releasing the key takes as long as the failure did, in vain.
    if (!isDatabaseAway(error)) await released;
    throw error;
  }
}

/** @throws what `count` throws as the bytes pass */
function storeFile(
  { files }: Pick<Deps, 'files'>,
  storageKey: string,
  { stream }: IncomingFile,
  count: (bytes: number) => void,
): Promise<StoredBytes> {
  const counted = new Transform({
    highWaterMark: stream.readableHighWaterMark,
    transform(piece: Buffer, _encoding, done) {
      try {
        count(piece.length);
        done(null, piece);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  // Errors of this pipeline reach the store through the stream.
  pipeline(stream, counted, () => {});
  return files.write(storageKey, counted);
}

/**
 * Reads the whole body without storing it, because only the same fields and bytes get the first
 * capsule back.
 */
async function repeat(
  deps: CreateDeps,
  actor: Actor,
  { parts }: IncomingCapsule,
  earlier: EarlierCapsule,
): Promise<SealedCapsule> {
  const files: { name: string; sha256: string }[] = [];
  let fields: NewCapsule | undefined;
  for await (const part of parts) {
    if ('fields' in part) {
      fields = part.fields;
    } else {
      const { name, head, stream } = part.file;
      await acceptedType(head, name);
      files.push({ name, sha256: (await measure(stream)).sha256 });
    }
  }
  if (!fields) throw new AppError('MALFORMED_MULTIPART');
  files.push(...(await recallUploads(deps, actor, fields.uploads, earlier.capsuleId)));
  if (fingerprint(fields, files) !== earlier.fingerprint) {
    throw new AppError('IDEMPOTENCY_KEY_REUSED');
  }
  const capsule = await getCapsule(deps, actor, earlier.capsuleId);
  return { capsule, links: await showLinksAgain(deps, actor, fields) };
}
