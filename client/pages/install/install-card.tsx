import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Download } from '../../components/icon.tsx';
import { promptInstall, useInstallWay } from '../../hooks/use-install.ts';
import { focusHeading } from '../focus.ts';
import styles from './install-card.module.css';
import { InstallSheet } from './install-sheet.tsx';

/** Offers to install the app. Renders nothing if it is installed or cannot be. */
export function InstallCard() {
  const way = useInstallWay();
  const [isShowing, setShowing] = useState(false);
  if (way === null) return null;
  return (
    <Card title="On this device">
      <div className={styles.card}>
        <p>
          Add Time Capsule to your home screen. It opens like any other app, even without a
          connection.
        </p>
        <Button
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => {
            if (way === 'by-hand') return setShowing(true);
            // The browser can be asked once only. The card disappears, so move the focus.
            focusHeading();
            void promptInstall();
          }}
        >
          {way === 'prompt' ? 'Install the app' : 'Show me how'}
        </Button>
      </div>
      {isShowing && <InstallSheet onClose={() => setShowing(false)} />}
    </Card>
  );
}
