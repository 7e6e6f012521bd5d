import { join } from 'node:path';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { createDiskStore } from './disk.ts';
import type { FileStore } from './file-store.ts';

/** The configured store: a bucket, or a folder of the data directory. */
export async function createFileStore({
  s3,
  dataDir,
}: Pick<Config, 's3' | 'dataDir'>): Promise<FileStore> {
  if (!s3) return createDiskStore(join(dataDir, 'files'));
  // The SDK takes 150 ms and 25 MB, which only a bucket should cost.
  const [{ createBucket }, { createS3Store }] = await Promise.all([
    import('./bucket.ts'),
    import('./s3.ts'),
  ]);
  return createS3Store(createBucket(s3));
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
    const { message, cause } = error as Error;
    const reason = (cause instanceof Error && cause.message) || message;
    throw new StartError(
      `The bucket ${s3.bucket} at ${s3.endpoint} cannot be used: ${reason}. Are the S3_… variables right?`,
      { cause: error },
    );
  }
}
