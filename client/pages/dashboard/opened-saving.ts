import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { saveFile } from '../../http/download.ts';
import { openPdf } from '../../http/open-pdf.ts';
import { inTurn } from './in-turn.ts';

/** Safari drops a download that begins while it is still starting the one before. */
const BETWEEN_SAVES_MS = 400;

export interface Saving {
  /** Ids of the files that are being fetched now. */
  busy: readonly string[];
  /** While all files are saved: how many have been, and of how many. */
  progress: { done: number; total: number } | null;
  /** Names of those that could not be had. */
  failed: readonly string[];
  save: (file: CapsuleFile) => void;
  saveAll: (files: readonly CapsuleFile[]) => void;
  /** Shows a PDF in a tab of its own. */
  open: (file: CapsuleFile) => void;
  dismiss: () => void;
}

/** Brings files of an opened capsule to the person, and remembers what went wrong. */
export function useSaving(): Saving {
  const [busy, setBusy] = useState<readonly string[]>([]);
  const [progress, setProgress] = useState<Saving['progress']>(null);
  const [failed, setFailed] = useState<readonly string[]>([]);

  const take = async (file: CapsuleFile, how: (file: CapsuleFile) => Promise<void>) => {
    setBusy((before) => [...before, file.fileId]);
    try {
      await how(file);
    } catch {
      setFailed((before) => [...before.filter((name) => name !== file.fileName), file.fileName]);
    } finally {
      setBusy((before) => before.filter((id) => id !== file.fileId));
    }
  };
  const one = (how: (file: CapsuleFile) => Promise<void>) => (file: CapsuleFile) => {
    setFailed([]);
    void take(file, how);
  };

  const saveAll = async (files: readonly CapsuleFile[]) => {
    const total = files.length;
    setFailed([]);
    setProgress({ done: 0, total });
    await inTurn(files, BETWEEN_SAVES_MS, async (file, done) => {
      await take(file, saveFile);
      setProgress({ done: done + 1, total });
    });
    setProgress(null);
  };

  return {
    busy,
    progress,
    failed,
    save: one(saveFile),
    saveAll: (files) => void saveAll(files),
    open: one(openPdf),
    dismiss: () => setFailed([]),
  };
}
