import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createCapsule, type NewCapsule, newCapsuleSchema } from '../../shared/api/new-capsule.ts';
import { CAPSULE_FILES_FACTOR, FILE_NAME_MAX, FILES_MAX, MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import type { StoredBytes } from '../files/file-store.ts';
import { acceptedType } from '../files/sniff.ts';
import { readMultipart } from './multipart.ts';
import { parse, parseJson } from './route.ts';

/** A message of 50,000 characters, escaped in the worst way, and 50 recipients. */
const JSON_MAX_BYTES = 1_048_576;

export interface ArrivedFile extends StoredBytes {
  name: string;
  type: string;
}

export interface CapsuleTaker<F extends StoredBytes> {
  /** Takes the files, one after another. */
  keep: (stream: Readable) => Promise<F>;
  /**
   * Runs as soon as the fields are known, wherever they stand in the body; when it rejects
   * nothing more is read.
   */
  onFields?: (fields: NewCapsule) => Promise<void>;
  /** Hears of each piece of a file before it is kept; when it throws nothing more is read. */
  onFileBytes?: (count: number) => void;
}

/**
 * Reads a capsule off the wire.
 * @throws VALIDATION_FAILED, MALFORMED_MULTIPART, FILE_TYPE_NOT_ACCEPTED and the size limits' codes
 */
export async function receiveCapsule<F extends StoredBytes>(
  { config }: Pick<Deps, 'config'>,
  incoming: IncomingMessage,
  { keep, onFields, onFileBytes }: CapsuleTaker<F>,
): Promise<{ fields: NewCapsule; files: (F & ArrivedFile)[] }> {
  let fields: NewCapsule | undefined;
  const fileBytes = config.maxFileMB * MEGABYTE;
  const { files } = await readMultipart(incoming, {
    limits: {
      fileBytes,
      totalBytes: fileBytes * CAPSULE_FILES_FACTOR,
      files: FILES_MAX,
      jsonBytes: JSON_MAX_BYTES,
    },
    jsonField: createCapsule.multipart?.json,
    fileField: createCapsule.multipart?.files,
    async onJson(text) {
      fields = parse(newCapsuleSchema, parseJson(text));
      if (fields) await onFields?.(fields);
    },
    ...(onFileBytes && { onFileBytes }),
    async onFile({ name, head, stream }) {
      const type = await acceptedType(head, name);
      return { ...(await keep(stream)), name: displayName(name), type };
    },
  });
  if (!fields) {
    throw new AppError('MALFORMED_MULTIPART', { message: 'The part "capsule" is missing.' });
  }
  return { fields, files };
}

/** The name as it was given, less what no database keeps and nobody could read. */
function displayName(name: string): string {
  // Browsers write a quote in a form's file name so, and nothing else.
  const shown = name.replaceAll('%22', '"').replaceAll('\0', '');
  const characters = [...shown];
  return characters.length > FILE_NAME_MAX ? shortened(characters) : shown;
}

/** Cut in the middle of the stem, so that the extension stays. */
function shortened(characters: string[]): string {
  const extension = /\.[^.]{1,16}$/.exec(characters.join(''))?.[0] ?? '';
  return characters.slice(0, FILE_NAME_MAX - [...extension].length).join('') + extension;
}
