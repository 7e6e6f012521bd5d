import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { toasts } from '../../components/toast.tsx';
import { chooseOnlyOnDevice, useOnlyOnDevice } from '../../hooks/use-account-drafts.ts';
import { useMe } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { changeFailure } from '../change-failure.ts';
import { DRAFTS_FOLLOW } from '../draft-words.ts';

/** Whether new drafts stay on the device where they are begun. */
export function DraftChoice() {
  // A device that doesn't know yet who is signed in asks.
  useMe();
  const saved = useOnlyOnDevice(useUserId());
  /** Shown at once, and taken back if it can't be saved. */
  const [chosen, setChosen] = useState<boolean | null>(null);

  const choose = async (onlyOnDevice: boolean) => {
    setChosen(onlyOnDevice);
    try {
      // Where this device can't note it, the page goes on showing it.
      if (!(await chooseOnlyOnDevice(onlyOnDevice))) return;
    } catch (error) {
      toasts.failure(changeFailure(error, "We couldn't save this. Please try again."));
    }
    setChosen(null);
  };
  const isOnlyHere = chosen ?? saved ?? false;
  return (
    <Card title="Drafts">
      <Switch
        label="New drafts stay only on the device where you begin them"
        checked={isOnlyHere}
        disabled={saved === undefined}
        hint={isOnlyHere ? STAY : DRAFTS_FOLLOW}
        onChange={(onlyOnDevice) => void choose(onlyOnDevice)}
      />
    </Card>
  );
}

const STAY = 'Drafts you have begun stay as they are. You can still save each one to your account.';
