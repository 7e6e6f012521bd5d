import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { chooseOnlyOnDevice, useOnlyOnDevice } from '../../hooks/use-account-drafts.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { DRAFTS_FOLLOW } from '../draft-words.ts';
import { useChoice } from '../use-choice.ts';

/** Whether new drafts stay on the device where they are begun. */
export function DraftChoice() {
  const saved = useOnlyOnDevice(useUserId());
  const { choice: isOnlyHere = false, choose } = useChoice(saved);
  return (
    <Card title="Drafts">
      <Switch
        label="New drafts stay only on the device where you begin them"
        checked={isOnlyHere}
        disabled={saved === undefined}
        hint={isOnlyHere ? STAY : DRAFTS_FOLLOW}
        onChange={(isOn) => choose(isOn, () => chooseOnlyOnDevice(isOn))}
      />
    </Card>
  );
}

const STAY = 'Drafts you have begun stay as they are. You can still save each one to your account.';
