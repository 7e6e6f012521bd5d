import { useEffect, useState } from 'react';
import type { Capsule, NextUnlock } from '../../../shared/api/capsules.ts';
import { dayAt } from '../../../shared/day.ts';
import { CallError, isConnectionError, messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fact } from '../../components/fact.tsx';
import { Ellipsis, EyeOff, Trash, Undo } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { usePageTitle } from '../../components/page-title.ts';
import { useOpenings } from '../../hooks/openings.ts';
import { useCapsule } from '../../hooks/use-capsules.ts';
import { ownTimeZone, useOpeningOnTime } from '../../hooks/use-now.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { fileCountText, longDay, openingText, updatedText, waitText } from '../format.ts';
import styles from './capsule-dialog.module.css';
import { CapsuleFacts } from './capsule-facts.tsx';
import { OpenedCapsule } from './opened-capsule.tsx';
import { OpeningStage } from './opening-stage.tsx';
import { lacksParts } from './parts.ts';
import { senderItems } from './sender-items.tsx';
import type { CapsuleActions } from './use-capsule-actions.ts';

interface CapsuleDialogProps {
  id: string;
  now: Date;
  /** The capsule's entry in the upcoming unlocks, shown until its details are there. */
  known: NextUnlock | null;
  actions: CapsuleActions;
  /** It has opened, and still stands among the upcoming ones. */
  onOpened: () => void;
  onClose: () => void;
}

export function CapsuleDialog(props: CapsuleDialogProps) {
  const { id, now, known, actions, onOpened, onClose } = props;
  const { data, fetchedAt, error, isLoading, isRefreshing, refresh } = useCapsule(id);
  // Deleted meanwhile, or not this person's capsule.
  const isGone = error instanceof CallError && error.status === 404;
  // A list that no longer names the capsule may remove it from the cache while it is shown.
  const [seen, setSeen] = useState({ data, fetchedAt });
  if (data && data !== seen.data) setSeen({ data, fetchedAt });
  const capsule = isGone ? null : seen.data;
  usePageTitle(capsule?.title ?? null);
  useOpeningOnTime([capsule], now, refresh);
  const isNews = known !== null && capsule?.locked === false;
  useEffect(() => {
    if (isNews) onOpened();
  }, [isNews, onOpened]);
  const openings = useOpenings();
  // The stage stays until its animation has ended, though the capsule counts as seen from the press on.
  const [stage, setStage] = useState<'before' | 'shown' | 'over'>('before');
  if (stage === 'before' && capsule && openings?.isReady(capsule)) setStage('shown');
  if (capsule && stage === 'shown') {
    return (
      <OpeningStage
        capsule={capsule}
        now={now}
        onOpened={() => setStage('over')}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog size="large" title={titleOf()} onClose={onClose}>
      {capsule && openings ? (
        <div className="stack gap-24">
          {isConnectionError(error) && (
            <p className="quiet small">No connection · {updatedText(seen.fetchedAt, now)}</p>
          )}
          {capsule.locked ? (
            <LockedCapsule capsule={capsule} now={now} />
          ) : lacksParts(capsule) && isRefreshing && error === null ? (
            <Placeholder known={known} />
          ) : (
            <OpenedCapsule capsule={capsule} now={now} isFresh={stage === 'over'} />
          )}
          <Actions capsule={capsule} actions={actions} onClose={onClose} />
        </div>
      ) : (
        <Placeholder known={known} failure={isLoading || capsule ? '' : reason()} />
      )}
    </Dialog>
  );

  function titleOf(): string {
    if (capsule) return capsule.title;
    return isLoading ? (known?.title ?? 'Capsule') : 'Capsule not available';
  }
  function reason(): string {
    if (isConnectionError(error)) return 'Not saved on this device.';
    return messageFrom(error, 'This capsule could not be loaded.');
  }
}

/** Shown until the details are there; the specification counts no files then. @param failure why they don't come */
function Placeholder({ known, failure = '' }: { known: NextUnlock | null; failure?: string }) {
  return (
    <div className="stack gap-24">
      {!failure && <p className="quiet small">0 files</p>}
      <p className={`breaks ${styles.description}`} role="status">
        {failure || 'Loading...'}
      </p>
      {known && !failure && (
        <dl className={`stack gap-16 ${styles.facts}`}>
          <Fact name="From">{known.senderName}</Fact>
          {known.type === 'created' && <Fact name="To">Unknown</Fact>}
          <Fact name="Opens">{longDay(known.unlockDate)}</Fact>
        </dl>
      )}
    </div>
  );
}

interface ActionsProps extends Pick<CapsuleDialogProps, 'actions' | 'onClose'> {
  capsule: Capsule;
}

/** What can be done with the capsule, quietly and at the end. */
function Actions({ capsule, actions, onClose }: ActionsProps) {
  const userId = useUserId();
  const { type, hidden = false, recipients = [] } = capsule;
  const isReceived = type === 'received' || recipients.some((one) => one.userId === userId);
  const Mark = hidden ? Undo : EyeOff;
  const closing = async (isBlocked: Promise<boolean>) => {
    if (!(await isBlocked)) return false;
    onClose();
    return true;
  };
  const aboutSender = senderItems(capsule, userId, {
    block: (sender) => closing(actions.block(sender)),
    report: (about) => closing(actions.report(about)),
  });
  const more = isReceived ? aboutSender : [];
  return (
    <div className={`cluster gap-8 ${styles.actions}`}>
      {capsule.locked && (
        <AddToCalendar
          variant="quiet"
          capsule={capsule}
          url={`${location.origin}/dashboard?capsule=${capsule.id}`}
        />
      )}
      {isReceived && (
        <Button
          variant="quiet"
          icon={Mark}
          onClick={() => {
            onClose();
            void actions.hide(capsule, !hidden);
          }}
        >
          {hidden ? 'Bring back' : 'Move out of sight'}
        </Button>
      )}
      {more.length > 0 && (
        <Menu
          label={`More about ${capsule.title}`}
          trigger={<Ellipsis size={20} />}
          items={more}
          isAbove
        />
      )}
      {type === 'created' && (
        <Button
          variant="quiet"
          icon={Trash}
          onClick={async () => {
            if (await actions.erase(capsule)) onClose();
          }}
        >
          Delete
        </Button>
      )}
    </div>
  );
}

function LockedCapsule({ capsule, now }: { capsule: Capsule; now: Date }) {
  return (
    <>
      <div className="stack gap-12 centred">
        <CapsuleSeal capsule={capsule} now={now} size={160} />
        <p className={`copper serif larger ${styles.wait}`}>
          {openingText(capsule, dayAt(now, capsule.timeZone), ownTimeZone())}
        </p>
        <p className="quiet small">{waitText(capsule, now)}</p>
        <p className="quiet small">
          This capsule is still locked. Come back on{' '}
          <time dateTime={capsule.dateToUnlock}>{longDay(capsule.dateToUnlock)}</time> to view its
          contents.
        </p>
        {capsule.mediaCount > 0 && (
          <p className="quiet small">{fileCountText(capsule.mediaCount)} inside</p>
        )}
      </div>
      <p className={`breaks ${styles.description}`} dir="auto">
        {capsule.description}
      </p>
      <CapsuleFacts capsule={capsule} />
    </>
  );
}
