import styles from './app-offline-note.module.css';
import { useAuth } from './state/auth.ts';
import { useOnline } from './state/use-online.ts';
import { CloudOff } from './ui/icon.tsx';

/** Quietly, that there is no connection and that nothing is lost to that. */
export function OfflineNote() {
  const online = useOnline();
  const { isLoggedIn } = useAuth();
  return (
    <div role="status">
      {!online && (
        <p className={styles.note}>
          <CloudOff size={16} aria-hidden="true" />
          {isLoggedIn
            ? 'You are offline. What you write is kept on this device.'
            : 'You are offline.'}
        </p>
      )}
    </div>
  );
}
