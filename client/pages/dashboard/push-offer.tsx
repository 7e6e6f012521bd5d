import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Inbox } from '../../components/icon.tsx';
import { siteName } from '../../components/site-name.ts';
import { declinePush, usePush } from '../../hooks/push.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { changePush, PUSH_BLOCKED } from '../change-push.ts';

/** Offers to tell the person on this device, once. The profile page has a switch for it. */
export function PushOffer() {
  const userId = useUserId();
  const { state, isDeclined } = usePush();
  const [isPressed, setPressed] = useState(false);
  // Who has just been refused by their browser is told why nothing happens.
  const isRefused = isPressed && state === 'blocked';
  if (userId === null || isDeclined || (state !== 'off' && !isRefused)) return null;
  return (
    <aside className="strip cluster middle" aria-labelledby="push-offer">
      <Inbox size={20} />
      <p role="status">
        <strong id="push-offer">
          {isRefused ? 'Notifications are blocked' : 'Know when a capsule opens'}
        </strong>
        <span>
          {isRefused
            ? PUSH_BLOCKED
            : `We can tell you on this device, even when ${siteName()} is closed.`}
        </span>
      </p>
      <div className="cluster gap-8">
        {isRefused ? (
          <Button onClick={declinePush}>OK</Button>
        ) : (
          <>
            <Button
              onClick={() => {
                setPressed(true);
                void changePush(userId, true);
              }}
            >
              Tell me
            </Button>
            <Button variant="quiet" onClick={declinePush}>
              Not now
            </Button>
          </>
        )}
      </div>
    </aside>
  );
}
