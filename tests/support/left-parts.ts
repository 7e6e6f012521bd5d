import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import type { BucketOptions } from '../../server/files/bucket.ts';

/** Begins an upload in parts and leaves it so, as a crash does. */
export async function leaveParts(options: BucketOptions, Key: string): Promise<void> {
  const { endpoint, bucket: Bucket, region, accessKeyId = '', secretAccessKey = '' } = options;
  const client = new S3Client({
    ...{ endpoint, region, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' },
    credentials: { accessKeyId, secretAccessKey },
  });
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const part = { Bucket, Key, UploadId, PartNumber: 1, Body: Buffer.alloc(100) };
  await client.send(new UploadPartCommand(part));
  client.destroy();
}
