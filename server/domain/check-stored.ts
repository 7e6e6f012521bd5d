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

const UNREADABLE = { fault: 'its bytes cannot be read', bytes: 0 };

async function checkRow(
  files: Deps['files'],
  row: StoredRow,
  quick: boolean,
): Promise<{ fault: string | null; bytes: number }> {
  const stored = await files.read(row.storageKey).catch((error: unknown) => {
    // The whole store is unreachable, so nothing is known of this file.
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
  const read = await measure(stored.stream).catch(() => null);
  if (!read) return UNREADABLE;
  const fault = read.sha256 === row.sha256 ? null : 'its bytes have changed';
  return { fault, bytes: read.bytes };
}
