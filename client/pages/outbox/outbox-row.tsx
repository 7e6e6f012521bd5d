import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { confirm } from '../../components/confirm.tsx';
import { Paperclip, Pencil, RefreshCw, Trash } from '../../components/icon.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { toasts } from '../../components/toast.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { discardQueued, editItem, retryNow, useProgress } from '../../hooks/use-outbox.ts';
import { sessionEnded } from '../../hooks/use-session.ts';
import { changeDevice } from '../change-device.ts';
import { displayName, fileCountText, longDay, sizeText } from '../format.ts';
import { confirmDiscarding } from '../unfinished-drafts.tsx';
import styles from './outbox.module.css';
import {
  explanation,
  IS_BEING_SENT,
  MUST_BE_KNOWN,
  needsLaterDay,
  needsPerson,
  queuedCapsule,
  stateText,
} from './outbox-item.ts';

interface OutboxRowCardProps {
  item: OutboxRow;
  online: boolean;
  now: Date;
}

export function OutboxRowCard({ item, online, now }: OutboxRowCardProps) {
  const { sent, percent } = useProgress(item);
  const { fields, files, totalBytes } = item;
  const reason = explanation(item, now);
  const fieldErrors = Object.values(item.failure?.errors ?? {}).filter((text) => text !== reason);
  return (
    <article
      className={`stack sheet gap-12-16 ${styles.row}`}
      aria-label={fields.title}
      data-focus-home={item.state === 'sending' || undefined}
    >
      <CapsuleSeal capsule={queuedCapsule(item)} now={now} size={72} />
      <div className="stack gap-4 breaks">
        <h2 className="large" dir="auto">
          {fields.title}
        </h2>
        <p className="quiet small">
          Opens <time dateTime={fields.dateToUnlock}>{longDay(fields.dateToUnlock)}</time> for{' '}
          {fields.recipients.map(displayName).join(', ')}
        </p>
        <p className={`${needsPerson(item, now) ? 'red' : 'copper'} strong`} role="status">
          {stateText(item, { online, now })}
        </p>
        {reason && <p>{reason}</p>}
        {fieldErrors.length > 0 && (
          <ul className="stack gap-4 red small">
            {fieldErrors.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {files.length > 0 && (
          <p className={`quiet small ${styles.files}`}>
            <Paperclip size={14} />
            {fileCountText(files.length)},{' '}
            {sent > 0 ? `${sizeText(sent)} of ${sizeText(totalBytes)} sent` : sizeText(totalBytes)}
          </p>
        )}
      </div>
      {item.state === 'sending' && (
        <div className="across">
          <ProgressBar label="Uploading" percent={percent} />
        </div>
      )}
      <OutboxActions item={item} now={now} />
    </article>
  );
}

function OutboxActions({ item, now }: { item: OutboxRow; now: Date }) {
  const navigate = useNavigate();
  const [explains, setExplains] = useState(false);
  const { title } = item.fields;
  const isSending = item.state === 'sending';

  const edit = async () => {
    if (item.mayHaveArrived) return setExplains(true);
    await changeDevice(async () => {
      const draftId = await editItem(item);
      if (draftId === null) setExplains(true);
      else navigate(`/create?draft=${draftId}`);
    });
  };
  const discard = async () => {
    if (item.mayHaveArrived) {
      setExplains(true);
      return;
    }
    const text = "It hasn't been sent, and this device has the only copy. You can't undo this.";
    const question = questionFor(item);
    const isSure = item.account
      ? await confirmDiscarding(question, item)
      : await confirm(question, text, { danger: true, yes: 'Discard' });
    if (!isSure) return;
    await changeDevice(async () => {
      if (!(await discardQueued(item))) return setExplains(true);
      toasts.success(`“${title}” has been discarded.`);
    });
  };

  if (item.state === 'needs-sign-in') {
    return (
      <div className={`cluster gap-8 across ${styles.actions}`}>
        <Button
          variant="primary"
          onClick={() => {
            sessionEnded();
            navigate('/auth');
          }}
        >
          Sign in
        </Button>
      </div>
    );
  }
  const send = () => {
    setExplains(false);
    void changeDevice(() => retryNow(item));
  };
  const mustChange = item.state === 'needs-fix' || needsLaterDay(item, now);
  return (
    <div className={`cluster gap-8 across ${styles.actions}`}>
      {!isSending && !mustChange && (
        <Button icon={RefreshCw} aria-label={`Try now: ${title}`} onClick={send}>
          Try now
        </Button>
      )}
      <Button
        variant={mustChange ? 'primary' : 'secondary'}
        icon={Pencil}
        aria-label={needsLaterDay(item, now) ? `Choose a later date for ${title}` : `Edit ${title}`}
        onClick={() => void edit()}
      >
        {needsLaterDay(item, now) ? 'Choose a later date' : 'Edit'}
      </Button>
      <Button
        variant="quiet"
        className={`red ${styles.discard}`}
        icon={Trash}
        aria-label={`Discard ${title}`}
        onClick={() => void discard()}
      >
        Discard
      </Button>
      <div className="silent wide" role="alert">
        {explains && (isSending || item.mayHaveArrived) && (
          <div className={`stack gap-8 to-start control ${styles.explanation}`}>
            <p>{isSending ? IS_BEING_SENT : MUST_BE_KNOWN}</p>
            {!isSending && <Button onClick={send}>Try now</Button>}
          </div>
        )}
      </div>
    </div>
  );
}

function questionFor({ fields, files: { length } }: OutboxRow): string {
  const files = length === 1 ? ' and its file' : ` and its ${length} files`;
  return `Discard “${fields.title}”${length === 0 ? '' : files}?`;
}
