import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Switch } from '../../components/switch.tsx';
import { keepOnlyHere, useOnlyOnDevice } from '../../hooks/use-account-drafts.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import type { DraftHandle } from '../../hooks/use-draft.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { changeDevice } from '../change-device.ts';
import { DRAFTS_FOLLOW } from '../draft-words.ts';
import styles from './summary-card.module.css';

interface OnlyHereProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  /** Called with every change; the first one begins a new draft. */
  onBegin: () => void;
}

/** Whether the draft stays on this device. */
export function OnlyHere({ handle: { draft, keep }, files, onBegin }: OnlyHereProps) {
  const navigate = useNavigate();
  const isUsual = useOnlyOnDevice(useUserId()) ?? false;
  const box = useFocusAfterMove();
  /** Shown at once, before it is stored. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [stored, setStored] = useState(draft.onlyHere);
  if (stored !== draft.onlyHere) {
    setStored(draft.onlyHere);
    setChosen(null);
  }
  const isOnlyHere = chosen ?? draft.onlyHere ?? isUsual;
  // Taken out of the account, the draft would lose what is not on this device.
  const isAway = files.some(({ isElsewhere }) => isElsewhere);

  const choose = async (onlyHere: boolean) => {
    setChosen(onlyHere);
    onBegin();
    // Where nothing can be saved, the form says so.
    if (!(await keep())) return setChosen(null);
    const id = await keepOnlyHere(draft, onlyHere);
    if (id === draft.id) return;
    const to = { replace: true, preventScrollReset: true, state: MOVED };
    navigate(`/create?draft=${id}`, to);
  };
  return (
    <div className={styles.choice} ref={box}>
      <Switch
        label="Only on this device"
        checked={isOnlyHere}
        disabled={isAway && !isOnlyHere}
        hint={isOnlyHere ? HERE : isAway ? `${DRAFTS_FOLLOW} ${STAYS}` : DRAFTS_FOLLOW}
        onChange={async (onlyHere) => {
          if (!(await changeDevice(() => choose(onlyHere)))) setChosen(null);
        }}
      />
    </div>
  );
}

const HERE = "This draft isn't in your account. It's gone if this browser's data is deleted.";
const STAYS =
  'Files of this draft are on your other device, so it has to stay in your account for now.';

const MOVED = { hasMoved: true };

/** Out of the account, the draft goes on under a new address, and its switch is another one. */
function useFocusAfterMove() {
  const box = useRef<HTMLDivElement>(null);
  const { state } = useLocation();
  const hasMoved = Object(state).hasMoved === true;
  useEffect(() => {
    if (hasMoved) box.current?.querySelector('input')?.focus();
  }, [hasMoved]);
  return box;
}
