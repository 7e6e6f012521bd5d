import { useEffect, useMemo } from 'react';
import type { DraftRow, KeptFileRow } from '../../local/db.ts';
import { type CopyJob, copying, sweepCopies, takeOut } from '../../state/copying.ts';
import { useExternalStore } from '../../state/external-store.ts';
import { removeKeptFile, useBrokenFiles, useKeptFiles } from '../../state/kept-files.ts';
import { changeDevice } from '../change-device.ts';
import type { ShownFile } from './picked-files.tsx';

/** A tab that copies may be closed at any time: what it has left is then seen to be lost. */
const SWEEP_EVERY_MS = 3_000;

/** The files of a draft: those this device keeps, then those being copied. Null while it is asked. */
export function useDraftFiles(draft: Pick<DraftRow, 'owner' | 'id'>): ShownFile[] | null {
  const kept = useKeptFiles(draft);
  const broken = useBrokenFiles(draft);
  const { jobs } = useExternalStore(copying);
  const { owner, id } = draft;
  const isCopiedElsewhere = kept?.some(
    ({ complete, lost, id: key }) => !complete && !lost && jobs.every((job) => job.key !== key),
  );
  useEffect(() => {
    // Without locks nobody can tell whether it still copies.
    if (!isCopiedElsewhere || !navigator.locks) return;
    const sweep = () => void sweepCopies(owner).catch(() => undefined);
    sweep();
    const timer = setInterval(sweep, SWEEP_EVERY_MS);
    return () => clearInterval(timer);
  }, [isCopiedElsewhere, owner]);
  return useMemo(() => {
    if (!kept) return null;
    const own = jobs.filter((job) => job.capsuleId === id);
    // The row of a copy under way is shown by its job, where this page is the one that copies; so
    // is a lost one that is being copied again.
    const isOwn = ({ key, file }: CopyJob, row: KeptFileRow) =>
      key === row.id || (row.lost && file.name === row.name && file.size === row.bytes);
    const rows = kept.filter((row) => own.every((job) => !isOwn(job, row)));
    return [...rows.map(fromRow), ...broken.map(fromBroken), ...own.map(fromJob)];
  }, [kept, broken, jobs, id]);
}

function fromRow(row: KeptFileRow): ShownFile {
  return {
    key: row.id,
    name: row.name,
    type: row.type,
    size: row.bytes,
    lastModified: row.lastModified,
    thumbnail: row.thumbnail,
    copied: row.complete || row.lost ? null : 0,
    isLost: row.lost,
    isKept: row.complete,
    onRemove: () => void changeDevice(() => removeKeptFile(row)),
  };
}

/** Shown so that it can be taken out: a capsule cannot be sealed with it. */
function fromBroken(row: { owner: string; id: string }): ShownFile {
  return {
    key: row.id,
    name: 'A file that can no longer be read',
    type: '',
    size: 0,
    lastModified: 0,
    thumbnail: null,
    copied: null,
    onRemove: () => void changeDevice(() => removeKeptFile(row)),
  };
}

function fromJob({ key, owner, file, copied }: CopyJob): ShownFile {
  const { name, type, size, lastModified } = file;
  return {
    key,
    name,
    type,
    size,
    lastModified,
    thumbnail: null,
    copied: Math.floor((copied / size) * 100),
    onRemove: () => takeOut({ owner, key }),
  };
}
