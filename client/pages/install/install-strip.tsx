import { useState } from 'react';
import { useExternalStore } from '../../state/external-store.ts';
import { install } from '../../state/install.ts';
import { countVisit, rememberDismissal, wasDismissed } from '../../state/install-memory.ts';
import { promptInstall, useInstallWay } from '../../state/install-way.ts';
import { Button } from '../../ui/button.tsx';
import { Download } from '../../ui/icon.tsx';
import { focusHeading } from '../focus-heading.ts';
import { InstallSheet } from './install-sheet.tsx';
import styles from './install-strip.module.css';

/**
 * Offers the home screen, quietly, to a person for whom the app was of use: they have just
 * sealed a capsule, or have come back to one. Declined, it stays away for half a year.
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
    // The button that was pressed goes with the strip.
    focusHeading();
  };
  return (
    <aside className={styles.strip} aria-labelledby="install-offer">
      <Download size={20} aria-hidden="true" />
      <p>
        <strong id="install-offer">Keep Time Capsule at hand</strong>
        <span>On your home screen it opens like any other app, without a network too.</span>
      </p>
      <div className={styles.actions}>
        {way === 'prompt' ? (
          <Button
            onClick={() => {
              // The browser asks by itself now; it was asked here, and is not again.
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
