import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Upload } from '../components/icon.tsx';
import { siteName } from '../components/site-name.ts';
import { type InstallWay, promptInstall, useInstallWay } from '../hooks/use-install.ts';
import styles from './install.module.css';

/** Offers to install the app. Renders nothing if it is installed or cannot be. */
export function InstallCard() {
  const way = useInstallWay();
  if (way === null) return null;
  return (
    <Card title="On this device">
      <div className="stack gap-12 to-start">
        <p>
          Add {siteName()} to your home screen. It opens like any other app, even without a
          connection.
        </p>
        <InstallButton way={way} />
      </div>
    </Card>
  );
}

interface InstallButtonProps {
  way: NonNullable<InstallWay>;
  /** Called once the person was asked, or has read how. */
  onDone?: () => void;
}

export function InstallButton({ way, onDone }: InstallButtonProps) {
  const [isShowing, setShowing] = useState(false);
  const done = () => {
    setShowing(false);
    onDone?.();
  };
  if (way === 'prompt') {
    return <Button onClick={() => void promptInstall().then(done)}>Install the app</Button>;
  }
  return (
    <>
      <Button onClick={() => setShowing(true)}>Show me how</Button>
      {isShowing && <InstallSheet onClose={done} />}
    </>
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
