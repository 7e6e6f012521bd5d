import { AppError } from '../../app-error.ts';
import { insertOperatorAction } from '../../db/operator/operator-actions.ts';
import { eachStored, isNamed, type StoredRow, setLost } from '../../db/storage/stored.ts';
import type { Deps } from '../../deps.ts';
import { measure } from '../../files/measure.ts';
import { assertOwnFiles } from './store-identity.ts';

export interface StoredReport {
  /** Number of checked rows, without those that were accepted as lost. */
  files: number;
  /** Bytes read and hashed. 0 if only sizes were compared. */
  bytes: number;
  /** One line for each missing, changed or unreadable file. */
  faults: string[];
  /** Rows whose file is missing or changed. */
  faulty: StoredRow[];
  /** Rows whose file the operator has accepted as lost. Nobody looks for it any more. */
  accepted: number;
}

const UNREADABLE = 'its bytes cannot be read';

/**
 * Checks that the file of every row exists, with the right length and SHA-256. Only reads, so a
 * server may run beside it. @param quick compares lengths only
 */
export async function checkStored(
  { db, files, clock }: Pick<Deps, 'db' | 'files' | 'clock'>,
  { quick = false }: { quick?: boolean } = {},
): Promise<StoredReport> {
  const report: StoredReport = { files: 0, bytes: 0, faults: [], faulty: [], accepted: 0 };
  for await (const row of eachStored(db, clock.now())) {
    if (row.isLost) {
      report.accepted += 1;
      continue;
    }
    report.files += 1;
    const { fault, bytes } = await checkRow(files, row, quick);
    report.bytes += bytes;
    // The file may have been deleted meanwhile, together with its row.
    if (fault && (await isNamed(db, row.storageKey))) {
      report.faults.push(`${row.owner}: ${fault} (${row.storageKey})`);
      // What breaks off today may be whole tomorrow: nobody can accept it as lost.
      if (fault !== UNREADABLE) report.faulty.push(row);
    }
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
    return { fault: UNREADABLE, bytes: 0 };
  }
}

/**
 * The operator accepts that what a check has found missing or changed is lost. Written down once for
 * each person it is taken from. @param where the store for a person to read @throws StartError when it
 * is another one
 */
export async function acceptLoss(
  { db, files, clock, ids }: Pick<Deps, 'db' | 'files' | 'clock' | 'ids'>,
  { faulty }: Pick<StoredReport, 'faulty'>,
  reason: string,
  where?: string,
): Promise<void> {
  // A check takes hours, in which a disk may go away.
  await assertOwnFiles({ db, files }, where);
  const at = clock.now();
  await db.transaction(async (tx) => {
    await setLost(tx, faulty, at);
    for (const userId of new Set(faulty.map((row) => row.userId))) {
      const action = { id: ids.uuid(), at, command: 'accept-loss', userId, reason };
      await insertOperatorAction(tx, action);
    }
  });
}
