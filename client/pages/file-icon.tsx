import { fileKind, isVoiceMemo, VOICE_MEMO } from '../../shared/file-types.ts';
import { File, FileText, Film, Image, Mic } from '../components/icon.tsx';

const ICONS = { image: Image, video: Film, pdf: FileText, memo: Mic, other: File };
const NAMES = { image: 'Image', video: 'Video', pdf: 'PDF', memo: VOICE_MEMO, other: 'File' };

/** The icon of a file by its extension; a voice memo has one of its own. */
export function FileIcon({ fileName }: { fileName: string }) {
  const kind = isVoiceMemo(fileName) ? 'memo' : fileKind(fileName);
  const Icon = ICONS[kind];
  return (
    <span className={'centre rigid square copper sunken'} role="img" aria-label={NAMES[kind]}>
      <Icon size={20} />
    </span>
  );
}
