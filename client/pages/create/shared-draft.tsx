import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { addShared } from '../../db/drafts.ts';
import type { DraftRow } from '../../db/tables.ts';
import { useAttachments } from '../../hooks/use-attachments.ts';
import { discardUnfinished } from '../../hooks/use-outbox.ts';
import { changeDevice } from '../change-device.ts';
import { shortened, sizeText } from '../format.ts';
import styles from './shared-draft.module.css';

/** What was shared from outside the app, until the person says whether they want it. */
export function SharedDraft({ draft }: { draft: DraftRow }) {
  const navigate = useNavigate();
  const files = useAttachments(draft.id) ?? [];
  const { title, personalMessage } = draft.fields;
  const add = async () => {
    await changeDevice(() => addShared(draft));
  };
  const discard = async () => {
    if (await changeDevice(() => discardUnfinished(draft))) navigate('/create', { replace: true });
  };
  return (
    <section className="stack gap-16 sheet slim" aria-labelledby="shared-draft">
      <h2 id="shared-draft">Add what was shared?</h2>
      <p>It came from another app or website, and isn't part of a capsule yet.</p>
      <div className={`stack gap-8 breaks ${styles.content}`} dir="auto">
        {title !== '' && <p className="strong">{title}</p>}
        {personalMessage !== '' && <p>{shortened(personalMessage, SHOWN_MAX)}</p>}
        {files.length > 0 && (
          <ul>
            {files.map(({ id, name, size }) => (
              <li key={id}>
                {name} <span className="quiet small unbroken">{sizeText(size)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="cluster gap-8">
        <Button variant="primary" onClick={() => void add()}>
          Add
        </Button>
        <Button onClick={() => void discard()}>Don't add</Button>
      </div>
    </section>
  );
}

const SHOWN_MAX = 300;
