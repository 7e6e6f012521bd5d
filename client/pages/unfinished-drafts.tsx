import { TITLE_MAX } from '../../shared/limits.ts';
import type { DraftFields, DraftRow } from '../local/db.ts';
import { deviceState } from '../state/device-state.ts';
import { useExternalStore } from '../state/external-store.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.tsx';
import { changeDevice } from './change-device.ts';
import { focusHeading } from './focus-heading.ts';
import { shortened } from './shortened.ts';
import styles from './unfinished-drafts.module.css';
import { UnreadableDrafts } from './unreadable-list.tsx';
import { dayAndTimeText } from './words.ts';

interface UnfinishedDraftsProps {
  drafts: readonly DraftRow[];
  /** Whose damaged drafts are listed too; null for none. */
  owner: string | null;
}

/** What was begun and not sealed, with a way back to each. Nothing when there is none. */
export function UnfinishedDrafts({ drafts, owner }: UnfinishedDraftsProps) {
  return (
    <>
      {drafts.length > 0 && <Drafts drafts={drafts} />}
      <UnreadableDrafts owner={owner} />
    </>
  );
}

function Drafts({ drafts }: { drafts: readonly DraftRow[] }) {
  return (
    <section className={styles.drafts} aria-labelledby="unfinished-drafts">
      <h2 id="unfinished-drafts">
        {drafts.length === 1 ? 'Unfinished draft' : `${drafts.length} unfinished drafts`}
      </h2>
      <Rows drafts={drafts.slice(0, SHOWN)} />
      {drafts.length > SHOWN && (
        <details className={styles.more}>
          <summary>Show {drafts.length - SHOWN} more</summary>
          <Rows drafts={drafts.slice(SHOWN)} />
        </details>
      )}
    </section>
  );
}

/** The newest are the ones that are looked for. */
const SHOWN = 3;

function Rows({ drafts }: { drafts: readonly DraftRow[] }) {
  return (
    <ul>
      {drafts.map((draft) => (
        <Row key={draft.id} draft={draft} />
      ))}
    </ul>
  );
}

/** Its title; else the first words of what is written in it. */
export function draftTitle({ title, description, personalMessage }: DraftFields): string {
  // A whole letter may stand there by mistake.
  if (title.trim() !== '') return shortened(title.trim(), TITLE_MAX);
  const words = (description.trim() || personalMessage.trim()).replace(/\s+/g, ' ');
  return shortened(words, WORDS_MAX) || 'Untitled Capsule';
}

const WORDS_MAX = 40;

function Row({ draft }: { draft: DraftRow }) {
  const { trouble } = useExternalStore(deviceState);
  const title = draftTitle(draft.fields);
  const discard = async () => {
    const question = `Discard the draft “${title}” and its files? This action cannot be undone.`;
    if (!(await confirm(question, { danger: true }))) return;
    const isDone = await changeDevice(async () => {
      // It knows how to stop copies and sending: more than the dashboard needs to show its cards.
      const { discardUnfinished } = await import('../state/outbox-actions.ts');
      await discardUnfinished(draft);
    });
    if (isDone) focusHeading();
  };
  return (
    <li className={styles.draft}>
      <span className={styles.words}>
        <span className={styles.title} dir="auto">
          {title}
        </span>
        <span className={styles.saved}>
          {trouble === null ? 'Saved on this device' : 'Only in this page, since'}{' '}
          {dayAndTimeText(draft.updatedAt, new Date())}
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
