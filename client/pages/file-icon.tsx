import { fileKind } from '../../shared/file-types.ts';
import { File, FileText, Film, Image } from '../components/icon.tsx';
import styles from './file-icon.module.css';

const ICONS = { image: Image, video: Film, pdf: FileText, other: File };
const NAMES = { image: 'Image', video: 'Video', pdf: 'PDF', other: 'File' };

/** The icon of a file by its extension. */
export function FileIcon({ fileName }: { fileName: string }) {
  const kind = fileKind(fileName);
  const Icon = ICONS[kind];
  return (
    <span className={styles.icon} role="img" aria-label={NAMES[kind]}>
      <Icon size={20} aria-hidden="true" />
    </span>
  );
}
