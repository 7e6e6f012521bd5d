import type { IncomingMessage } from 'node:http';
import { createCapsule, type NewCapsule, newCapsuleSchema } from '../../shared/api/new-capsule.ts';
import { CAPSULE_FILES_FACTOR, FILES_MAX, MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import { shorten } from './content-disposition.ts';
import { readParts } from './multipart.ts';
import type { ArrivingFile } from './multipart-part.ts';
import type { BodyRules } from './request-body.ts';
import { parse, parseJson } from './route.ts';

/** A message of 50,000 characters, escaped in the worst way, and 50 recipients. */
const JSON_MAX_BYTES = 409_600;

/**
 * A capsule off the wire: its fields once, before, between or behind its files.
 * @throws VALIDATION_FAILED, MALFORMED_MULTIPART and the size limits' codes
 */
export async function* capsuleParts(
  { maxFileMB }: Config,
  incoming: IncomingMessage,
  room?: BodyRules['room'],
): AsyncGenerator<{ fields: NewCapsule } | { file: ArrivingFile }> {
  const fileBytes = maxFileMB * MEGABYTE;
  const parts = readParts(incoming, {
    limits: {
      fileBytes,
      totalBytes: fileBytes * CAPSULE_FILES_FACTOR,
      files: FILES_MAX,
      jsonBytes: JSON_MAX_BYTES,
    },
    jsonField: createCapsule.multipart?.json,
    fileField: createCapsule.multipart?.files,
    room,
  });
  let hasFields = false;
  for await (const part of parts) {
    if ('json' in part) {
      hasFields = true;
      yield { fields: parse(newCapsuleSchema, parseJson(part.json)) };
    } else {
      yield { file: { ...part.file, name: displayName(part.file.name) } };
    }
  }
  if (!hasFields) {
    throw new AppError('MALFORMED_MULTIPART', { message: 'The part "capsule" is missing.' });
  }
}

/** The name as its sender knows it, without NUL, which PostgreSQL cannot store. */
function displayName(name: string): string {
  // In a form's file name, browsers write a quotation mark as %22, and no other character that way.
  return shorten(name.replaceAll('%22', '"').replaceAll('\0', ''));
}
