import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react';
import { TITLE_MAX } from '../../shared/limits.ts';
import { announceUnauthorized } from '../api/session.ts';
import { toasts } from '../components/toast.tsx';
import { isNoRoom } from '../db/database.ts';
import { dismissNews, retryRefusedDrafts } from '../db/draft-sync.ts';
import { retryRefused } from '../db/outbox.ts';
import type { GoneDraftRow } from '../db/tables.ts';
import { sweepCopies } from '../hooks/attach-files.ts';
import { deviceState } from '../hooks/device-state.ts';
import { keepOpenings } from '../hooks/openings.ts';
import { renewPush } from '../hooks/push.ts';
import { useDraftNews } from '../hooks/use-account-drafts.ts';
import { sentBytes, stopAwaiting, useWaiting } from '../hooks/use-outbox.ts';
import { askAllAgain } from '../hooks/use-query.ts';
import { useUserId } from '../hooks/use-user-id.ts';
import { outboxQueue } from '../sync/drain.ts';
import { type Delivered, onDelivered } from '../sync/locks.ts';
import { startScheduler } from '../sync/scheduler.ts';

export type Moment = ComponentType<{ capsule: Delivered; onDone: () => void }>;

export interface OutboxRunnerProps {
  /** What is shown once the server has a capsule. */
  Moment: Moment;
}

/** Sends the person's outbox, announces each sealed capsule, and counts those that wait. */
export function OutboxRunner({ Moment }: OutboxRunnerProps) {
  const userId = useUserId();
  const count = useWaiting(userId);
  const news = useDraftNews(userId);
  const [sealed, setSealed] = useState<Delivered | null>(null);
  const isShown = useRef(false);

  useEffect(() => deviceState.set({ queued: count }), [count]);
  useEffect(() => () => deviceState.set({ queued: 0 }), []);
  useEffect(() => {
    if (userId === null) return;
    const stopListening = onDelivered((news) => {
      if (news.userId !== userId) return;
      // Of several capsules that arrive together, the first one has the moment. A worker of an older
      // version does not say enough for it.
      const wasAwaited = stopAwaiting(news);
      const hasMoment = !isShown.current && 'recipients' in news;
      if (hasMoment) {
        isShown.current = true;
        setSealed(news);
      }
      const text = wasAwaited
        ? 'Time capsule created successfully!'
        : `“${news.title}” has been sealed.`;
      toasts.success(text, undefined, hasMoment);
    });
    const stopSending = startSending();
    return () => {
      stopSending();
      stopListening();
    };
  }, [userId]);
  useEffect(() => {
    if (userId === null) return;
    const leaving = new AbortController();
    keepOpenings(leaving.signal);
    // Without a connection it is done at the next start.
    renewPush(userId).catch(() => undefined);
    return () => leaving.abort();
  }, [userId]);
  useEffect(() => {
    let untold = news ?? [];
    // Nobody reads a hidden page: it tells when it is looked at again.
    const tell = () => {
      if (untold.length === 0 || document.visibilityState !== 'visible') return;
      // The lists have one more.
      if (untold.some((gone) => gone.news === 'sealed')) askAllAgain();
      const shown = new URLSearchParams(location.search).get('draft');
      for (const gone of untold) {
        const { id, goesOnAs, saysSo } = gone;
        const isSaid = saysSo && (shown === id || shown === goesOnAs);
        if (goesOnAs === undefined) toasts.success(goneText(gone));
        else if (!isSaid) toasts.notice(goneText(gone));
      }
      dismissNews(untold.map(({ id }) => id)).catch(() => undefined);
      untold = [];
    };
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [news]);
  return (
    sealed && (
      <Suspense>
        <Moment
          key={sealed.id}
          capsule={sealed}
          onDone={() => {
            isShown.current = false;
            setSealed(null);
          }}
        />
      </Suspense>
    )
  );
}

/** Keeps this person's queue moving while the page is open. @returns how to stop */
function startSending(): () => void {
  let isStopped = false;
  let stop = () => {};
  const start = async () => {
    // If one of them fails, the others are still of use.
    await Promise.allSettled([sweepCopies(), retryRefused(Date.now()), retryRefusedDrafts()]);
    if (isStopped) return;
    const queue = outboxQueue({
      onSent: ({ id }, bytes) => sentBytes.set({ byId: { ...sentBytes.get().byId, [id]: bytes } }),
      onSignedOut: announceUnauthorized,
    });
    stop = startScheduler(queue, (error) => {
      if (isNoRoom(error)) toasts.failure(NO_ROOM);
    });
  };
  void start();
  return () => {
    isStopped = true;
    stop();
  };
}

/** What has become of a draft on another device. */
function goneText({ news, fields, goesOnAs }: GoneDraftRow): string {
  const title = fields.title.trim();
  const draft = title === '' ? 'A draft' : `“${title.slice(0, TITLE_MAX)}”`;
  const what = `${draft} was ${news} on another device.`;
  return goesOnAs === undefined ? what : `${what} What you wrote here is still a draft.`;
}

const NO_ROOM =
  "Your device is out of space, so we can't send what's in your outbox. Please free some space.";
