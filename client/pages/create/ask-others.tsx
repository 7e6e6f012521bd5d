import { useState } from 'react';
import type { Added, AddedList } from '../../../shared/api/contributions.ts';
import { dayAt } from '../../../shared/day.ts';
import { CONTRIBUTION_MB, REMOVED_KEPT_DAYS } from '../../../shared/limits.ts';
import { ask } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { confirm } from '../../components/confirm.tsx';
import { toasts } from '../../components/toast.tsx';
import type { DraftHandle } from '../../hooks/draft-form.ts';
import { endLink, isOnAccount, putBack, removeUnread, useAdded } from '../../hooks/use-added.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { changeFailure } from '../change-failure.ts';
import { dayAndTimeText, fileCountText, longDay, sizeText } from '../format.ts';
import { tell } from '../tell.ts';
import { AskDialog } from './ask-dialog.tsx';
import styles from './ask-others.module.css';

/* In the same file of code: who has added so far. */
export { countAddedNow } from '../../hooks/use-added.ts';

interface AskOthersProps {
  handle: DraftHandle;
  /** Called before the draft is saved; the first time begins a new one. */
  onBegin: () => void;
}

/** The link by which others add to the draft, and who has added. */
export function AskOthers({ handle, onBegin }: AskOthersProps) {
  const { draft } = handle;
  const added = useAdded(draft);
  const list = added.data;
  // Of a draft that began on this page there is no link yet.
  const [isNew] = useState(!isOnAccount(draft));

  const make = () => {
    const save = () => {
      onBegin();
      return handle.keep();
    };
    void ask((answer) => <AskDialog draft={draft} save={save} onClose={() => answer(false)} />);
  };
  const change: Change = async (work, otherwise) => {
    try {
      await work;
    } catch (error) {
      toasts.failure(changeFailure(error, otherwise));
      return;
    }
    await added.refresh();
  };
  if (draft.onlyHere) return <p className="measure quiet">{ONLY_HERE}</p>;
  // Nothing is offered before it is known: a new link would end one that is out of sight.
  if (!list && !isNew) return null;
  const count = list?.contributions.length ?? 0;
  if (!list || (!list.link && count === 0 && !list.removed)) {
    return (
      <Button variant="quiet" className="outdent" data-focus-home onClick={make}>
        Ask others to add something
      </Button>
    );
  }
  return (
    <Card title="Ask others to add">
      <div className="stack gap-16">
        {list.link ? (
          <TheLink id={draft.id} list={list} change={change} onRenew={make} />
        ) : (
          <div>
            <Button data-focus-home onClick={make}>
              Make a new link
            </Button>
          </div>
        )}
        {count > 0 && <Others id={draft.id} list={list} change={change} />}
        {list.removed && <Removed id={draft.id} of={list.removed} change={change} />}
      </div>
    </Card>
  );
}

const ONLY_HERE = 'Others can add something once this draft is saved to your account.';

/** Changes something on the server, and shows it; where that fails, it says why. */
type Change = (work: Promise<void>, otherwise: string) => Promise<void>;

interface TheLinkProps {
  id: string;
  list: AddedList;
  change: Change;
  onRenew: () => void;
}

/** The link, to be sent, renewed or ended. */
function TheLink({ id, list, change, onRenew }: TheLinkProps) {
  const link = list.link?.token && `${location.origin}/add#${list.link.token}`;
  const [isEnding, setEnding] = useState(false);
  const { words = '', until = null } = list.link ?? {};
  const isOver = until !== null && until < dayAt(new Date(), ownTimeZone());

  const end = async () => {
    const text = 'Nobody can use it after that. What others have added stays.';
    const options = { danger: true, yes: 'Turn it off' };
    if (!(await confirm('Turn off the link?', text, options))) return;
    setEnding(true);
    await change(endLink(id), "We couldn't turn off the link. Please try again.");
    setEnding(false);
  };
  return (
    <>
      {link && (
        <p className={`breaks sunken ${styles.link}`}>
          <span className="visually-hidden">Your link: </span>
          <span className="stamp">{link}</span>
        </p>
      )}
      {words !== '' && (
        <p className="measure breaks verbatim quoted serif" dir="auto">
          {words}
        </p>
      )}
      {until !== null && (
        <p className="quiet small">
          {isOver ? `It ended on ${longDay(until)}.` : `Until ${longDay(until)}`}
        </p>
      )}
      {list.link?.isSurprise && (
        <p className="quiet small">They aren't told whom it's for or when it opens.</p>
      )}
      {!isOver && (
        <p className="quiet small">Anything that arrives after you seal it won't be included.</p>
      )}
      <div className={`cluster middle gap-8 ${styles.actions}`}>
        {isOver ? (
          <Button onClick={onRenew}>Make a new link</Button>
        ) : (
          link && (
            // Once a link is made, the next thing is to send it.
            <Button data-focus-home onClick={() => void tell(words, link)}>
              {'share' in navigator ? 'Send the link' : 'Copy the link'}
            </Button>
          )
        )}
        <Button variant="quiet" busy={isEnding} onClick={() => void end()}>
          Turn off the link
        </Button>
      </div>
    </>
  );
}

interface OthersProps {
  id: string;
  list: AddedList;
  change: Change;
}

/** Who has added, and how much. */
function Others({ id, list: { contributions, most }, change }: OthersProps) {
  const remove = async (added: Added) => {
    const text = `They'll see that it isn't there any more. You can put it back for ${REMOVED_KEPT_DAYS} days.`;
    const options = { danger: true, yes: 'Remove it' };
    if (!(await confirm(`Remove what ${added.name} added?`, text, options))) return;
    const otherwise = `We couldn't remove what ${added.name} added. Please try again.`;
    await change(removeUnread(id, added.id), otherwise);
  };
  const count = contributions.length;
  return (
    <div className="stack gap-16 line-above pad-above">
      <ul aria-label="Who has added" data-focus-home>
        {contributions.map((added) => (
          <li key={added.id} className={`row middle spread line-below gap-8-16 ${styles.row}`}>
            <div className="breaks">
              <p className="strong" dir="auto">
                {added.name}
              </p>
              <p className="quiet small">{whatText(added, new Date())}</p>
            </div>
            <Button
              variant="quiet"
              className="rigid"
              aria-label={`Remove what ${added.name} added`}
              onClick={() => void remove(added)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <p className="quiet small">
        {count >= most
          ? `No more than ${most} people can add something.`
          : `Their files use your storage, at most ${CONTRIBUTION_MB} MB for each person.`}
      </p>
    </div>
  );
}

interface RemovedProps extends Pick<OthersProps, 'id' | 'change'> {
  of: NonNullable<AddedList['removed']>;
}

/** What was removed in the last days, perhaps by somebody else in this account. */
function Removed({ id, of, change }: RemovedProps) {
  return (
    <ul className="stack gap-16 line-above pad-above" aria-label="Removed">
      {of.map(({ id: contributionId, name }) => (
        <li key={contributionId} className={`row middle spread line-below gap-8-16 ${styles.row}`}>
          <p className="quiet small">
            <bdi>{name}</bdi>'s part was removed.
          </p>
          <Button
            variant="quiet"
            className="rigid"
            aria-label={`Put it back: what ${name} added`}
            onClick={() =>
              void change(
                putBack(id, contributionId),
                `We couldn't put back what ${name} added. Please try again.`,
              )
            }
          >
            Put it back
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** 'A letter and 4 files, 12.00 MB, 14 Jun, 14:05' */
function whatText(added: Added, now: Date): string {
  const { hasLetter, fileCount, bytes, underWay, updatedAt } = added;
  const files = fileCount > 0 ? fileCountText(fileCount) : '';
  const what = [hasLetter ? 'A letter' : '', files].filter((part) => part !== '').join(' and ');
  const size = fileCount > 0 ? sizeText(bytes) : '';
  const waits = underWay > 0 ? `${fileCountText(underWay)} on the way` : '';
  const when = dayAndTimeText(Date.parse(updatedAt), now);
  return [what, size, waits, when].filter((part) => part !== '').join(', ');
}
