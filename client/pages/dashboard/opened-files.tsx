import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { Button } from '../../ui/button.tsx';
import { CircleAlert, Download } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { FileList } from './file-list.tsx';
import styles from './opened-files.module.css';
import { OpenedGallery } from './opened-gallery.tsx';
import { useSaving } from './opened-saving.ts';
import { OpenedVideo } from './opened-video.tsx';

/** The files of an opened capsule: to look at here, and to take along. */
export function OpenedFiles({ files }: { files: readonly CapsuleFile[] }) {
  const saving = useSaving();
  const { progress, failed } = saving;
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
      {/* Inside the dialog: a message behind it could be neither read nor dismissed. */}
      <div role="alert">
        {failed.length > 0 && (
          <div className={styles.failed}>
            <CircleAlert size={18} aria-hidden="true" />
            <div>
              <p>Failed to download file. Please try again.</p>
              <p className={styles.names}>{failed.join(', ')}</p>
            </div>
            <Button variant="quiet" onClick={saving.dismiss}>
              Dismiss
            </Button>
          </div>
        )}
      </div>
      {images.length > 0 && <OpenedGallery images={images} saving={saving} />}
      {videos.map((video) => (
        <OpenedVideo key={video.fileId} video={video} />
      ))}
      <FileList files={files} saving={saving} />
    </section>
  );
}
