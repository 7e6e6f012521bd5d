import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { Button } from '../../ui/button.tsx';
import { Download } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { FileList } from './file-list.tsx';
import { SavingFailure } from './opened-failure.tsx';
import styles from './opened-files.module.css';
import { OpenedGallery } from './opened-gallery.tsx';
import { useSaving } from './opened-saving.ts';
import { OpenedVideo } from './opened-video.tsx';

/** The files of an opened capsule: to look at here, and to take along. */
export function OpenedFiles({ files }: { files: readonly CapsuleFile[] }) {
  const saving = useSaving();
  const { progress } = saving;
  const images = files.filter(({ fileType }) => fileType.startsWith('image/'));
  const videos = files.filter(({ fileType }) => fileType.startsWith('video/'));
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>Files</h3>
        {files.length > 1 && (
          <Button
            icon={<Download size={18} aria-hidden="true" />}
            busy={progress !== null}
            onClick={() => saving.saveAll(files)}
          >
            Download all
          </Button>
        )}
      </div>
      {progress && (
        <ProgressBar label="Saving files" percent={(progress.done / progress.total) * 100} />
      )}
      {images.length > 0 && <OpenedGallery images={images} saving={saving} />}
      {videos.map((video) => (
        <OpenedVideo key={video.fileId} video={video} />
      ))}
      <SavingFailure saving={saving} />
      <FileList files={files} saving={saving} />
    </section>
  );
}
