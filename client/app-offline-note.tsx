import styles from './app-offline-note.module.css';
import { useAuth } from './state/auth.ts';
import { deviceState } from './state/device-state.ts';
import { useExternalStore } from './state/external-store.ts';
import { useOnline } from './state/use-online.ts';
import { CloudOff } from './ui/icon.tsx';

/** Quietly, that there is no connection and that nothing is lost to that. */
export function OfflineNote() {
  const online = useOnline();
  const { isLoggedIn } = useAuth();
  const { trouble } = useExternalStore(deviceState);
  return (
    <div role="status">
      {!online && (
        <p className={styles.note}>
          <CloudOff size={16} aria-hidden="true" />
          {isLoggedIn && trouble === null
            ? 'You are offline. What you write is kept on this device.'
            : 'You are offline.'}
        </p>
      )}
    </div>
  );
}
