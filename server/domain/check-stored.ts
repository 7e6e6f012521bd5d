import { AppError } from '../app-error.ts';
import { eachStored, findMiscounted, type StoredRow } from '../db/stored.ts';
import { findReferencedKeys } from '../db/sweep.ts';
import type { Deps } from '../deps.ts';
import { measure } from '../files/measure.ts';
import { countOrphaned, OF_ANY_AGE } from './orphaned-files.ts';

export interface StoredReport {
  /** Number of checked rows. */
  files: number;
  /** Bytes read and hashed. 0 if only sizes were compared. */
  bytes: number;
  /** One line for each missing or changed file, and for each capsule with wrong counts. */
  faults: string[];
  /** Number of orphaned files. */
  orphaned: number;
}

/**
 * Checks that the file of every row exists, with the right length and SHA-256. Only reads, so a
 * server may run beside it. @param quick compares lengths only
 */
export async function checkStored(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  { quick = false }: { quick?: boolean } = {},
): Promise<StoredReport> {
  const report: StoredReport = { files: 0, bytes: 0, faults: [], orphaned: 0 };
  for await (const row of eachStored(db)) {
    report.files += 1;
    const { fault, bytes } = await checkRow(files, row, quick);
    report.bytes += bytes;
    // The file may have been deleted meanwhile, together with its row.
    if (fault && (await findReferencedKeys(db, [row.storageKey])).size > 0) {
      report.faults.push(`${row.owner}: ${fault} (${row.storageKey})`);
    }
  }
  for (const id of await findMiscounted(db)) {
    report.faults.push(`capsule ${id}: its files are not as many or as large as it says`);
  }
  try {
    report.orphaned = (await countOrphaned({ db, files }, OF_ANY_AGE)).orphaned;
  } catch (error) {
    report.faults.push(`the stored files cannot be listed: ${String(error)}`);
  }
  return report;
}

/** What is wrong with the file of a row, or null; and how many of its bytes were read. */
async function checkRow(
  files: Deps['files'],
  row: StoredRow,
  quick: boolean,
): Promise<{ fault: string | null; bytes: number }> {
  try {
    const size = await files.size(row.storageKey);
    if (size === null) return { fault: 'its bytes are missing', bytes: 0 };
    if (row.bytes !== null && size !== row.bytes) {
      return { fault: `${size} bytes instead of ${row.bytes}`, bytes: 0 };
    }
    const stored = quick || row.sha256 === null ? null : await files.read(row.storageKey);
    if (!stored) return { fault: null, bytes: 0 };
    const { bytes, sha256 } = await measure(stored.stream);
    return { fault: sha256 === row.sha256 ? null : 'its bytes have changed', bytes };
  } catch (error) {
    // The whole store is unreachable, so nothing is known of this file.
    if (error instanceof AppError) throw error;
    return { fault: 'its bytes cannot be read', bytes: 0 };
  }
}
