import { Button } from '../../components/button.tsx';
import { classes } from '../../components/classes.ts';
import { Inbox } from '../../components/icon.tsx';
import { declinePush, usePush } from '../../hooks/push.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { changePush } from '../change-push.ts';
import { focusHeading } from '../focus.ts';
import styles from '../install.module.css';
import strip from '../strip.module.css';

/** Offers to tell the person on this device, once. The profile page has a switch for it. */
export function PushOffer() {
  const userId = useUserId();
  const { state, isDeclined } = usePush();
  if (userId === null || state !== 'off' || isDeclined) return null;
  const dismiss = () => {
    declinePush();
    // The pressed button disappears with the strip, so move the focus.
    focusHeading();
  };
  return (
    <aside className={classes(strip.strip, styles.strip)} aria-labelledby="push-offer">
      <Inbox size={20} aria-hidden="true" />
      <p>
        <strong id="push-offer">Know when it opens</strong>
        <span>We can tell you on this device, even when Time Capsule is closed.</span>
      </p>
      <div className={styles.actions}>
        <Button
          onClick={() => {
            // The browser's own question follows.
            focusHeading();
            void changePush(userId, true);
          }}
        >
          Tell me
        </Button>
        <Button variant="quiet" onClick={dismiss}>
          Not now
        </Button>
      </div>
    </aside>
  );
}
