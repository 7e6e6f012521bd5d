import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Download } from '../../components/icon.tsx';
import { useExternalStore } from '../../hooks/external-store.ts';
import {
  countVisit,
  install,
  promptInstall,
  rememberDismissal,
  useInstallWay,
  wasDismissed,
} from '../../hooks/use-install.ts';
import { focusHeading } from '../focus.ts';
import { InstallSheet } from './install-sheet.tsx';
import styles from './install-strip.module.css';

/**
 * Offers to install the app after the person has sealed a capsule or on their second visit. After
 * "Not now" it stays hidden for half a year.
 */
export function InstallStrip() {
  const way = useInstallWay();
  const [visits] = useState(() => countVisit(Date.now()));
  const [isDone, setDone] = useState(() => wasDismissed(Date.now()));
  const { hasSealed } = useExternalStore(install);
  const [isShowing, setShowing] = useState(false);

  if (way === null || isDone || (visits < 2 && !hasSealed)) return null;
  const dismiss = () => {
    rememberDismissal(Date.now());
    setDone(true);
    // The pressed button disappears with the strip, so move the focus.
    focusHeading();
  };
  return (
    <aside className={styles.strip} aria-labelledby="install-offer">
      <Download size={20} aria-hidden="true" />
      <p>
        <strong id="install-offer">Add Time Capsule to your home screen</strong>
        <span>Opens like any other app, even without a connection.</span>
      </p>
      <div className={styles.actions}>
        {way === 'prompt' ? (
          <Button
            onClick={() => {
              // The browser's own prompt follows, so do not ask again.
              dismiss();
              void promptInstall();
            }}
          >
            Install
          </Button>
        ) : (
          <Button onClick={() => setShowing(true)}>Show me how</Button>
        )}
        <Button variant="quiet" onClick={dismiss}>
          Not now
        </Button>
      </div>
      {isShowing && (
        <InstallSheet
          onClose={() => {
            setShowing(false);
            dismiss();
          }}
        />
      )}
    </aside>
  );
}
