import { join } from 'node:path';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { createDiskStore } from './disk.ts';
import type { FileStore } from './file-store.ts';
import { createS3Store } from './s3.ts';
import { createS3Client } from './s3-client.ts';

/** The configured store: a bucket, or a folder of the data directory. */
export function createFileStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore {
  return s3 ? createS3Store(createS3Client(s3)) : createDiskStore(join(dataDir, 'files'));
}

/** Where the files are, for a person to read. */
export function describeStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): string {
  return s3 ? `the bucket ${s3.bucket} at ${s3.endpoint}` : join(dataDir, 'files');
}

/** @throws StartError if the bucket cannot be used. A folder is created when needed. */
export async function assertUsable(files: FileStore, { s3 }: Pick<Config, 's3'>): Promise<void> {
  if (!s3) return;
  try {
    await files.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The bucket ${s3.bucket} at ${s3.endpoint} cannot be used: ${reason}. Are the S3_… variables right?`,
      { cause: error },
    );
  }
}
