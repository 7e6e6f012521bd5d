import type { DraftRow } from '../local/db.ts';
import { discardUnfinished } from '../state/outbox.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.tsx';
import styles from './unfinished-drafts.module.css';
import { dayAndTimeText } from './words.ts';

/** What was begun and not sealed, with a way back to each. Nothing when there is none. */
export function UnfinishedDrafts({ drafts }: { drafts: readonly DraftRow[] }) {
  if (drafts.length === 0) return null;
  return (
    <section className={styles.drafts} aria-labelledby="unfinished-drafts">
      <h2 id="unfinished-drafts">
        {drafts.length === 1 ? 'Unfinished draft' : `${drafts.length} unfinished drafts`}
      </h2>
      <ul>
        {drafts.map((draft) => (
          <Row key={draft.id} draft={draft} />
        ))}
      </ul>
    </section>
  );
}

function Row({ draft }: { draft: DraftRow }) {
  const title = draft.fields.title.trim() || 'Untitled Capsule';
  const discard = async () => {
    const question = `Discard the draft “${title}” and its files? This action cannot be undone.`;
    if (await confirm(question, { danger: true })) await discardUnfinished(draft);
  };
  return (
    <li className={styles.draft}>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.saved}>
          Saved on this device {dayAndTimeText(draft.updatedAt, new Date())}
        </span>
      </span>
      <ButtonLink to={`/create?draft=${draft.id}`} aria-label={`Continue ${title}`}>
        Continue
      </ButtonLink>
      <Button variant="quiet" aria-label={`Discard ${title}`} onClick={() => void discard()}>
        Discard
      </Button>
    </li>
  );
}
