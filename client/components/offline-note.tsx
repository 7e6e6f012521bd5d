import { SIGN_IN_BETWEEN_PATH } from '../../shared/limits.ts';
import { CloudOff } from './icon.tsx';
import styles from './offline-note.module.css';

interface OfflineNoteProps {
  online: boolean;
  /** A sign-in page answers in place of the server. */
  isBetween: boolean;
  /** What is written is saved here until then. */
  saves: boolean;
}

/** Above the page while the server can't be reached. */
export function OfflineNote({ online, isBetween, saves }: OfflineNoteProps) {
  const saved = saves && ' What you write is saved on this device.';
  return (
    <div role="status">
      {(!online || isBetween) && (
        <p className={`row middle gap-8 mid-row line-below quiet small ${styles.offline}`}>
          {online ? (
            <span>
              A sign-in page stands between you and this site.{saved}{' '}
              {/* A proxy in front of the server asks there: the worker leaves this address to it. */}
              <a href={SIGN_IN_BETWEEN_PATH}>Sign in again</a>
            </span>
          ) : (
            <>
              <CloudOff size={16} />
              You're offline.{saved}
            </>
          )}
        </p>
      )}
    </div>
  );
}
