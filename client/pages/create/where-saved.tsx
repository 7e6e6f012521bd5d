import { Link } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import type { DraftRow } from '../../db/tables.ts';
import { saveToAccount } from '../../hooks/use-account-drafts.ts';
import { changeDevice } from '../change-device.ts';
import styles from './summary-card.module.css';

/** When the draft was saved; unfolded, where it is and who could read it. */
export function WhereSaved({ draft, stamp }: { draft: DraftRow; stamp: string }) {
  return (
    <details className={styles.where}>
      <summary data-focus-home>{stamp}</summary>
      {draft.onlyHere ? (
        <>
          <p>This draft isn't in your account. It's gone if this browser's data is deleted.</p>
          <Button variant="quiet" onClick={() => void changeDevice(() => saveToAccount(draft))}>
            Save it to your account
          </Button>
        </>
      ) : (
        <p>
          Drafts are saved to your account, so you can go on with them on any device. Whoever runs
          this server could read them, so you can choose{' '}
          <Link to="/profile/safety">on your profile</Link> to keep new ones on this device only.
        </p>
      )}
    </details>
  );
}
