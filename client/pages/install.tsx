import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Download, Upload } from '../components/icon.tsx';
import { siteName } from '../components/site-name.ts';
import { useExternalStore } from '../hooks/store.ts';
import {
  countVisit,
  install,
  promptInstall,
  rememberDismissal,
  useInstallWay,
  wasDismissed,
} from '../hooks/use-install.ts';
import styles from './install.module.css';

/**
 * Offers to install the app after the person has sealed a capsule or on their second visit. After
 * "Not now" it stays hidden for half a year. @param otherwise shown while there is nothing to offer:
 * one offer at a time
 */
export function InstallStrip({ otherwise }: { otherwise?: ReactNode }) {
  const way = useInstallWay();
  const [visits] = useState(() => countVisit(Date.now()));
  const [isDone, setDone] = useState(() => wasDismissed(Date.now()));
  const { hasSealed } = useExternalStore(install);
  const [isShowing, setShowing] = useState(false);

  if (way === null || isDone || (visits < 2 && !hasSealed)) return otherwise;
  const dismiss = () => {
    rememberDismissal(Date.now());
    setDone(true);
  };
  return (
    <aside className="strip cluster middle" aria-labelledby="install-offer">
      <Download size={20} />
      <p>
        <strong id="install-offer">Add {siteName()} to your home screen</strong>
        <span>Opens like any other app, even without a connection.</span>
      </p>
      <div className="cluster gap-8">
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

/** Offers to install the app. Renders nothing if it is installed or cannot be. */
export function InstallCard() {
  const way = useInstallWay();
  const [isShowing, setShowing] = useState(false);
  if (way === null) return null;
  return (
    <Card title="On this device">
      <div className="stack gap-12 to-start">
        <p>
          Add {siteName()} to your home screen. It opens like any other app, even without a
          connection.
        </p>
        <Button
          icon={Download}
          onClick={() => {
            if (way === 'by-hand') setShowing(true);
            else void promptInstall();
          }}
        >
          {way === 'prompt' ? 'Install the app' : 'Show me how'}
        </Button>
      </div>
      {isShowing && <InstallSheet onClose={() => setShowing(false)} />}
    </Card>
  );
}

/** How to add the app to the home screen in Safari on iPhone and iPad, and why. */
function InstallSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      size="small"
      title="Add to your Home Screen"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ol className={`stack gap-12 ${styles.steps}`}>
        <li>
          Touch <Upload size={18} /> <strong>Share</strong> in Safari's bar.
        </li>
        <li>
          Choose <strong>Add to Home Screen</strong>.
        </li>
        <li>
          Open {siteName()} from there and sign in once more. Its storage is separate from Safari's.
        </li>
      </ol>
      <p>
        Your drafts are safe there. Safari itself deletes a site's data after seven days without a
        visit.
      </p>
    </Dialog>
  );
}
