import type { KeptFileRow } from './tables.ts';

/** `device-failed`: the database refused for another reason than room. */
export type KeepFileReason = 'device-full' | 'device-failed' | 'unreadable' | 'empty';

type NamedFile = Pick<KeptFileRow, 'owner' | 'id' | 'name'>;

/** Why a picked file could not be kept on this device. Its text and the other files are untouched. */
export class KeepFileError extends Error {
  override readonly name = 'KeepFileError';
  readonly reason: KeepFileReason;
  /** The kept file that is damaged, where it is one of several. */
  readonly file: NamedFile | undefined;

  constructor(reason: KeepFileReason, options: { cause?: unknown; file?: NamedFile } = {}) {
    super(reason, options);
    this.reason = reason;
    this.file = options.file;
  }
}
