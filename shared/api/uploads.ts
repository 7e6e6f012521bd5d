import { z } from 'zod/mini';
import { CHUNK_DIGESTS_HEADER, FILE_NAME_MAX, UPLOAD_OFFSET_HEADER } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { idField, messageSchema, withoutNul } from './fields.ts';

/** Progress of a resumable upload. `offset` is also in the header Upload-Offset. */
export const uploadStateSchema = z.object({
  id: z.uuid(),
  /** Size of the whole file. */
  bytes: z.int(),
  /** Bytes on stable storage. The next part starts here. */
  offset: z.int(),
  /** True once a capsule can use this upload. */
  complete: z.boolean(),
});
export type UploadState = z.infer<typeof uploadStateSchema>;

export const newUploadSchema = z.object({
  fileName: z
    .string({ error: 'The file needs a name' })
    .check(z.minLength(1), z.maxLength(FILE_NAME_MAX), z.overwrite(withoutNul)),
  bytes: z
    .int({ error: 'The size must be a whole number of bytes' })
    .check(z.gte(1, 'This file is empty')),
  /** The draft of the account that it is for, which keeps it for longer than a week. */
  draft: z.optional(idField.check(z.toLowerCase())),
});

const uploadParams = z.object({ id: z.string() });

export const startUpload = endpoint({
  method: 'POST',
  path: '/api/uploads/:id',
  summary:
    'Starts an upload session for a large file under a UUID of yours. A repeat returns its progress.',
  access: 'signed-in',
  params: uploadParams,
  body: newUploadSchema,
  status: 201,
  response: uploadStateSchema,
  errors: [
    'MAINTENANCE',
    'FILE_TOO_LARGE',
    'TOO_MANY_FILES',
    'STORAGE_LIMIT_REACHED',
    'UPLOAD_NOT_FOUND',
  ],
});

export const getUpload = endpoint({
  method: 'GET',
  path: '/api/uploads/:id',
  summary: 'The progress of an upload, so that it can resume after a lost connection.',
  access: 'signed-in',
  params: uploadParams,
  status: 200,
  response: uploadStateSchema,
  errors: ['UPLOAD_NOT_FOUND'],
});

export const sendPart = endpoint({
  method: 'PATCH',
  path: '/api/uploads/:id',
  summary:
    'Adds the next part. If the connection is lost, every complete 4 MiB chunk of the part is kept. The last part completes the file.',
  access: 'signed-in',
  params: uploadParams,
  bytes: 'application/partial-upload',
  headers: {
    [UPLOAD_OFFSET_HEADER]: 'Where in the file the part begins, in bytes.',
    [CHUNK_DIGESTS_HEADER]:
      'Optional: the SHA-256 of each 4 MiB of the part, in base64 between colons, separated by commas. Each chunk is checked before it is saved.',
  },
  status: 200,
  response: uploadStateSchema,
  errors: [
    'MAINTENANCE',
    'UPLOAD_NOT_FOUND',
    'UPLOAD_OFFSET_WRONG',
    'UPLOAD_PART_CORRUPT',
    'PAYLOAD_TOO_LARGE',
    'FILE_TYPE_NOT_ACCEPTED',
    'STORAGE_FULL',
  ],
});

export const abandonUpload = endpoint({
  method: 'DELETE',
  path: '/api/uploads/:id',
  summary: 'Cancels an upload and frees its space.',
  access: 'signed-in',
  params: uploadParams,
  status: 200,
  response: messageSchema,
  errors: ['UPLOAD_NOT_FOUND'],
});
