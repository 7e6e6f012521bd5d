import { type ReactNode, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { TITLE_MAX } from '../../../shared/limits.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Fact } from '../../components/fact.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { useMedia } from '../../components/use-media.ts';
import { noteTold, readDraft } from '../../db/drafts.ts';
import type { DraftFields, OutboxRow } from '../../db/tables.ts';
import { useOnline } from '../../hooks/device-state.ts';
import type { DraftHandle } from '../../hooks/draft-form.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useProgress } from '../../hooks/use-outbox.ts';
import { SENDS_WHEN_CLOSED } from '../../sync/scheduler.ts';
import { changeDevice } from '../change-device.ts';
import { savedText } from '../draft-words.ts';
import { fileCountText, longDay, shortened } from '../format.ts';
import { confirmDiscarding, discardAsked, draftTitle } from '../unfinished-drafts.tsx';
import { stillElsewhere, stillNeeded } from './check-draft.ts';
import { letterText, summaryText } from './letter-text.ts';
import styles from './summary-card.module.css';
import { WhereSaved } from './where-saved.tsx';

interface SummaryCardProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  /** Who else has added, by name. */
  others: readonly string[];
  /** Files are still being copied to this device. */
  isCopying: boolean;
  isSending: boolean;
  /** The outbox item of the draft, once it is queued. */
  item: OutboxRow | null | undefined;
}

/** What will be sealed, and the button that does it. */
export function SummaryCard(props: SummaryCardProps) {
  const { handle, files, others, isCopying, isSending, item } = props;
  const navigate = useNavigate();
  const { draft } = handle;
  const { fields } = draft;
  const names = fields.recipients
    .map(({ name, email, isYou }) => `${name} (${isYou ? 'You' : email})`)
    .join(', ');

  const discard = async () => {
    await handle.keep();
    // What a full device couldn't store is no other device's.
    const seen = (await readDraft(draft.id).catch(() => null)) ?? draft;
    if (!(await confirmDiscarding(`Discard the draft “${draftTitle(seen.fields)}”?`, seen))) return;
    handle.take();
    // The draft is still open, so save its latest words again.
    if (!(await discardAsked(seen))) return handle.change({});
    navigate('/dashboard', { replace: true });
  };

  return (
    <aside className={styles.aside} inert={handle.isInOtherTab}>
      <Card className={styles.card}>
        <Folded line={summaryText(fields, files.length, others) || nameOf(fields)}>
          <dl className={`stack gap-8 ${styles.facts}`}>
            <Fact name="Title">
              {shortened(fields.title.trim(), TITLE_MAX) || 'Untitled Capsule'}
            </Fact>
            <Fact name="Recipients">{names || 'No recipients selected'}</Fact>
            <Fact name="Unlock date">
              {fields.dateToUnlock ? longDay(fields.dateToUnlock) : 'No date selected'}
            </Fact>
            <Fact name="Letter">{letterText(fields.personalMessage)}</Fact>
            <Fact name="Files">{fileCountText(files.length)}</Fact>
            {others.length > 0 && (
              <Fact name="From others" dir="auto">
                {others.join(', ')}
              </Fact>
            )}
          </dl>
          <p className={`line-above pad-above quiet small ${styles.note}`}>
            Once created, the capsule will be locked until the specified unlock date.
          </p>
        </Folded>
        <div className={`cluster middle spread gap-0-12 target quiet small ${styles.draft}`}>
          <DraftState
            handle={handle}
            files={files}
            isSending={isSending}
            isCopying={files.length > 0 && isCopying}
          />
          {handle.savedAt !== null && !isSending && (
            <Button variant="quiet" onClick={() => void discard()}>
              Discard draft
            </Button>
          )}
        </div>
      </Card>
      <SealBar
        item={item}
        isSending={isSending}
        needed={stillNeeded(fields)}
        elsewhere={stillElsewhere(files)}
        isBlocked={isCopying || handle.isInOtherTab}
        news={draft.news ?? null}
        onRead={() => void changeDevice(() => noteTold(draft.id, { news: undefined }))}
      />
    </aside>
  );
}

/** Where there is nothing else to say in a sentence yet. */
function nameOf({ title, description }: DraftFields): string {
  return isBlank(title) && isBlank(description) ? '' : 'Capsule Summary';
}

/** On a phone the summary is one sentence, and unfolds; where nothing is entered there is none. */
function Folded({ line, children }: { line: string; children: ReactNode }) {
  const isWide = useMedia('(width >= 60rem)');
  const summary = (
    <>
      <h2 className={styles.title}>Capsule Summary</h2>
      {children}
    </>
  );
  if (isWide) return summary;
  return (
    <details className={styles.folded} hidden={line === ''}>
      <summary>{line}</summary>
      {summary}
    </details>
  );
}

interface SealBarProps extends Pick<SummaryCardProps, 'item' | 'isSending'> {
  /** A file is being copied, or another tab writes in the draft. */
  isBlocked: boolean;
  /** What is missing before the capsule can be sealed. */
  needed: readonly string[];
  /** Which files it waits for, in sentences. */
  elsewhere: readonly string[];
  /** Where the person looks who writes: the bar stays in sight. */
  news: string | null;
  onRead: () => void;
}

/** The submit button and the progress of the upload. */
function SealBar(props: SealBarProps) {
  const { item, isSending, isBlocked, needed, elsewhere, news, onRead } = props;
  const id = useId();
  // A live region must exist before its text appears.
  const [told, setTold] = useState<string | null>(null);
  useEffect(() => setTold(news), [news]);
  const progress = useProgress(item);
  const [hasBegun, setBegun] = useState(false);
  if (item && !hasBegun) setBegun(true);
  // The item is gone: the server has the capsule, and the page is about to change.
  const percent = hasBegun && !item ? 100 : progress.percent;
  const isWaiting = needed.length + elsewhere.length > 0;
  return (
    <div className={`stack gap-12 line-above ${styles.bar}`}>
      {isSending && <ProgressBar label="Uploading" percent={percent} />}
      <div className="silent row middle small" role="status">
        {told !== null && !isSending && (
          <>
            <p className="grow">{told}</p>
            <Button
              variant="quiet"
              onClick={({ currentTarget }) => {
                onRead();
                currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
              }}
            >
              Dismiss
            </Button>
          </>
        )}
      </div>
      {isWaiting && (
        <div className={`quiet small ${styles.needed}`} id={id}>
          {needed.length > 0 && <p>Still needed: {needed.join(', ')}</p>}
          {elsewhere.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <div className="row gap-12">
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={isWaiting || isBlocked}
          aria-describedby={isWaiting ? id : undefined}
          busy={isSending}
          busyLabel={`Uploading... ${percent}%`}
        >
          Create Time Capsule
        </Button>
      </div>
    </div>
  );
}

interface DraftStateProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  isSending: boolean;
  isCopying: boolean;
}

/** Whether the draft is saved. Only problems and progress are announced, not every save. */
function DraftState({ handle, files, isSending, isCopying }: DraftStateProps) {
  const { draft, savedAt, isBehind, refusal } = handle;
  const now = useNow();
  const isOnline = useOnline();
  const missingFiles = files.filter((file) => !file.hasArrived && !file.isLost).length;
  const stamp =
    savedAt !== null && !isBehind
      ? savedText({ ...handle, savedAt, missingFiles, isOnline }, now)
      : 'Saving…';
  const isBegun = savedAt !== null || isBehind;
  const isTold = isSending || isCopying || refusal !== null;
  return (
    <div>
      <div role="status">
        {isSending && <p>{SENDING}</p>}
        {!isSending && refusal !== null && <p>{REFUSED[refusal]}</p>}
        {!isSending && isCopying && <p>Copying your files to this device…</p>}
      </div>
      {!isTold && isBegun && <WhereSaved draft={draft} stamp={stamp} />}
    </div>
  );
}

const SENDING = SENDS_WHEN_CLOSED
  ? "You can leave this page. We'll keep sending it in the background."
  : "Keep this screen open until your capsule is sealed. It's saved on this device, but we can send it only while the app is open.";
const REFUSED = {
  full: "Your device is out of space, so your latest changes aren't saved. Remove files, discard another draft or free some space, and keep this page open until then.",
  failed: "Your latest changes aren't saved yet. Keep this page open while we try again.",
};
