import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { TITLE_MAX } from '../../shared/limits.ts';
import { Button } from '../components/button.tsx';
import { confirm } from '../components/confirm.tsx';
import { toasts } from '../components/toast.tsx';
import type { DraftFields, DraftRow } from '../db/tables.ts';
import { readAdded, useKnownAdded } from '../hooks/added-list.ts';
import { discardUnfinished } from '../hooks/use-outbox.ts';
import { useQuery } from '../hooks/use-query.ts';
import { changeDevice } from './change-device.ts';
import { writtenText } from './draft-words.ts';
import { listText, shortened } from './format.ts';
import styles from './unfinished-drafts.module.css';

/** The drafts on this device, each with a link. Renders nothing if there are none. */
export function UnfinishedDrafts({ drafts }: { drafts: readonly DraftRow[] }) {
  const id = useId();
  if (drafts.length === 0) return null;
  return (
    <section className="stack gap-8 sheet" aria-labelledby={id}>
      <h2 className="large" id={id}>
        {drafts.length === 1 ? 'Unfinished draft' : `${drafts.length} unfinished drafts`}
      </h2>
      <Rows drafts={drafts.slice(0, SHOWN)} />
      {drafts.length > SHOWN && <Folded drafts={drafts.slice(SHOWN)} />}
    </section>
  );
}

/** How many of the newest drafts are shown. */
const SHOWN = 3;

/** Nothing is asked about drafts that nobody looks at. */
function Folded({ drafts }: { drafts: readonly DraftRow[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show {drafts.length} more</summary>
      {isOpen && <Rows drafts={drafts} />}
    </details>
  );
}

function Rows({ drafts }: { drafts: readonly DraftRow[] }) {
  return (
    <ul>
      {drafts.map((draft) => (
        <Row key={draft.id} draft={draft} />
      ))}
    </ul>
  );
}

export async function confirmDiscarding(
  question: string,
  { id, account }: Pick<DraftRow, 'id' | 'account'>,
): Promise<boolean> {
  const where = account
    ? `on all your devices${navigator.onLine ? '' : " as soon as there's a connection"}, unless you're still writing on another one`
    : 'from this device';
  const count = account ? await countOthers(id) : 0;
  const others =
    count === 0 ? '' : ` What ${count === 1 ? '1 person' : `${count} people`} added goes with it.`;
  const text = `This deletes the draft and its files ${where}.${others} You can't undo this.`;
  return confirm(question, text, { danger: true, yes: 'Discard' });
}

/** Discards a draft, as the person saw it when they were asked, and says so. @returns whether it is gone */
export async function discardAsked(draft: DraftRow): Promise<boolean> {
  const isGone = await changeDevice(() => discardUnfinished(draft));
  if (isGone) toasts.success(`“${draftTitle(draft.fields)}” has been discarded.`);
  return isGone;
}

/** How many people have added to a draft. */
async function countOthers(id: string): Promise<number> {
  try {
    return await (await import('./create/ask-others.tsx')).countAddedNow(id);
  } catch {
    // The code is not there without a connection.
    return (await readAdded(id)).length;
  }
}

/** The title, or the first words of the text. */
export function draftTitle({ title, description, personalMessage }: DraftFields): string {
  // Somebody may have pasted a whole letter into the title.
  if (title.trim() !== '') return shortened(title.trim(), TITLE_MAX);
  const words = (description.trim() || personalMessage.trim()).replace(/\s+/g, ' ');
  return shortened(words, WORDS_MAX) || 'Untitled Capsule';
}

const WORDS_MAX = 40;

function Row({ draft }: { draft: DraftRow }) {
  const title = draftTitle(draft.fields);
  const now = new Date();
  const names = useKnownAdded(draft.id).map(({ name }) => name);
  const { account, id } = draft;
  const isOnAccount = (account?.revision ?? 0) > 0;
  // Somebody may have added since this device has asked.
  useQuery(isOnAccount ? id : null, () => countOthers(id));
  const discard = async () => {
    if (!(await confirmDiscarding(`Discard the draft “${title}”?`, draft))) return;
    await discardAsked(draft);
  };
  return (
    <li className={`cluster middle entry ${styles.draft}`}>
      <span className={`stack narrows holds ${styles.words}`}>
        <Link
          className={`strong breaks ${styles.title}`}
          dir="auto"
          to={`/create?draft=${draft.id}`}
          aria-label={`Continue ${title}`}
        >
          {title}
        </Link>
        <span className="quiet small">
          {draft.isSetAside ? 'Shared with you, not added yet' : writtenText(draft, now)}
          {names.length > 0 &&
            `. ${listText(names)} ${names.length === 1 ? 'has' : 'have'} added something.`}
        </span>
        {draft.news && <span className="quiet small">{draft.news}</span>}
      </span>
      <Button variant="quiet" aria-label={`Discard ${title}`} onClick={() => void discard()}>
        Discard
      </Button>
    </li>
  );
}
