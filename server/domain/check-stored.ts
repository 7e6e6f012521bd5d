import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../app-error.ts';
import { eachStored, findMiscounted, type StoredRow } from '../db/stored.ts';
import { findReferencedKeys } from '../db/sweep.ts';
import type { Deps } from '../deps.ts';
import { countUnnamed, OF_ANY_AGE } from './unnamed-files.ts';

export interface StoredReport {
  /** Rows whose bytes were looked at. */
  files: number;
  /** Read and hashed; 0 when only sizes were compared. */
  bytes: number;
  /** One line for each row without its bytes, or with other ones, and for each miscounted capsule. */
  faults: string[];
  /** Stored files that no row names. */
  unnamed: number;
}

/**
 * Compares every row that names stored bytes with those bytes: there, of that length, and with
 * that SHA-256. Reads only; a server may run beside it.
 * @param quick compare lengths alone
 */
export async function checkStored(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  { quick = false }: { quick?: boolean } = {},
): Promise<StoredReport> {
  const report: StoredReport = { files: 0, bytes: 0, faults: [], unnamed: 0 };
  for await (const row of eachStored(db)) {
    report.files += 1;
    const { fault, bytes } = await checkRow(files, row, quick);
    report.bytes += bytes;
    // Deleted while we looked: then the row is gone too.
    if (fault && (await findReferencedKeys(db, [row.storageKey])).size > 0) {
      report.faults.push(`${row.owner}: ${fault} (${row.storageKey})`);
    }
  }
  for (const id of await findMiscounted(db)) {
    report.faults.push(`capsule ${id}: its files are not as many or as large as it says`);
  }
  try {
    report.unnamed = (await countUnnamed({ db, files }, OF_ANY_AGE)).unnamed;
  } catch (error) {
    report.faults.push(`the stored files cannot be listed: ${String(error)}`);
  }
  return report;
}

const UNREADABLE = { fault: 'its bytes cannot be read', bytes: 0 };

async function checkRow(
  files: Deps['files'],
  row: StoredRow,
  quick: boolean,
): Promise<{ fault: string | null; bytes: number }> {
  const stored = await files.read(row.storageKey).catch((error: unknown) => {
    // The store itself is away: nothing can be said of its files.
    if (error instanceof AppError) throw error;
    return 'unreadable' as const;
  });
  if (stored === 'unreadable') return UNREADABLE;
  if (!stored) return { fault: 'its bytes are missing', bytes: 0 };
  if (row.bytes !== null && stored.bytes !== row.bytes) {
    stored.stream.destroy();
    return { fault: `${stored.bytes} bytes instead of ${row.bytes}`, bytes: 0 };
  }
  if (quick || row.sha256 === null) {
    stored.stream.destroy();
    return { fault: null, bytes: 0 };
  }
  const hash = createHash('sha256');
  try {
    await pipeline(
      stored.stream,
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          done();
        },
      }),
    );
  } catch {
    return UNREADABLE;
  }
  const same = hash.digest('hex') === row.sha256;
  return { fault: same ? null : 'its bytes have changed', bytes: stored.bytes };
}
