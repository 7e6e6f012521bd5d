import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useMemo } from 'react';
import { isUnfinished, readAttachments } from '../db/attachments.ts';
import { copying, isCopiedFor, sweepCopies } from './attach-files.ts';
import { useExternalStore } from './store.ts';

export interface ShownFile {
  id: string;
  name: string;
  /** MIME type; empty where the system names none. */
  type: string;
  size: number;
  lastModified: number;
  thumbnail: ArrayBuffer | null;
  /** Percent that has been copied to this device; null when all of it is, or none ever will be. */
  copied: number | null;
  /** Its bytes are gone, or never came; only its name is known. */
  isLost: boolean;
  /** Picked on another device: its bytes are not on this one. */
  isElsewhere: boolean;
  /** The account has all of it. */
  hasArrived: boolean;
  /** Why the account did not take it, in a sentence. */
  refusal: string | null;
}

/** Another tab may be closed while it copies; the files it leaves unfinished are then marked as lost. */
const SWEEP_EVERY_MS = 3_000;

/** The files of a draft or contribution, those being copied included; null while they are read. */
export function useAttachments(rowId: string): ShownFile[] | null {
  const rows = useLiveQuery(() => readAttachments(rowId), [rowId]);
  const { jobs } = useExternalStore(copying);
  const isCopiedInOtherTab = rows?.some(
    (file) => isUnfinished(file) && jobs.every((job) => job.id !== file.id),
  );
  useEffect(() => {
    // Without locks nobody can tell whether that tab still copies.
    if (!isCopiedInOtherTab || !navigator.locks) return;
    const sweep = () => void sweepCopies().catch(() => undefined);
    sweep();
    const timer = setInterval(sweep, SWEEP_EVERY_MS);
    return () => clearInterval(timer);
  }, [isCopiedInOtherTab]);
  return useMemo(() => {
    if (!rows) return null;
    const isOwn = isCopiedFor(
      rowId,
      rows.map(({ id }) => id),
    );
    const own = jobs.filter(isOwn);
    const others = rows.filter(({ id }) => own.every((job) => job.id !== id));
    return [
      ...others.map((file) => ({
        ...{ id: file.id, name: file.name, type: file.type, size: file.bytes },
        ...{ lastModified: file.lastModified, thumbnail: file.thumbnail },
        copied: isUnfinished(file) ? 0 : null,
        isLost: file.lost ?? false,
        isElsewhere: file.isElsewhere ?? false,
        hasArrived: file.hasArrived ?? false,
        refusal: file.refused?.message ?? null,
      })),
      ...own.map(({ id, file: { name, type, size, lastModified }, copiedBytes }) => ({
        ...{ id, name, type, size, lastModified, thumbnail: null },
        ...{ isLost: false, isElsewhere: false, hasArrived: false, refusal: null },
        copied: Math.floor((copiedBytes / size) * 100),
      })),
    ];
  }, [rows, jobs, rowId]);
}
