import { siteName } from '../../components/site-name.ts';
import { Switch } from '../../components/switch.tsx';
import { usePush } from '../../hooks/push.ts';
import { useInstallWay } from '../../hooks/use-install.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { changePush, PUSH_BLOCKED } from '../change-push.ts';
import styles from './settings.module.css';

/** Whether this browser tells the person when a capsule opens. */
export function PushChoice() {
  const userId = useUserId();
  const state = usePush();
  const way = useInstallWay();
  return (
    <div className={`stack gap-12 to-start ${styles.part}`}>
      <p>On this device, even when {siteName()} is closed:</p>
      {state === 'unsupported' || state === 'blocked' ? (
        <p>{way === 'by-hand' ? installFirst() : IMPOSSIBLE[state]}</p>
      ) : (
        <Switch
          label="Tell me on this device when a capsule opens"
          checked={state === 'on'}
          onChange={(isOn) => {
            if (userId !== null) void changePush(userId, isOn);
          }}
        />
      )}
    </div>
  );
}

const installFirst = () =>
  `Add ${siteName()} to your home screen first. From there it can tell you when a capsule opens.`;

const IMPOSSIBLE = {
  unsupported: "This browser can't tell you when a capsule opens. We'll email you.",
  blocked: PUSH_BLOCKED,
};
