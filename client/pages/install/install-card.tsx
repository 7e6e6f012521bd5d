import { useState } from 'react';
import { promptInstall, useInstallWay } from '../../state/install-way.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Download } from '../../ui/icon.tsx';
import { focusHeading } from '../focus-heading.ts';
import styles from './install-card.module.css';
import { InstallSheet } from './install-sheet.tsx';

/** The way to the home screen for whoever looks for it; nothing where it is there already. */
export function InstallCard() {
  const way = useInstallWay();
  const [isShowing, setShowing] = useState(false);
  if (way === null) return null;
  return (
    <Card title="On this device">
      <div className={styles.card}>
        <p>
          Put Time Capsule on your home screen: it opens like any other app, without a network too.
        </p>
        <Button
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => {
            if (way === 'by-hand') return setShowing(true);
            // It can be asked once only: the card goes, and its button with it.
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
