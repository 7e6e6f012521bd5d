import { useState } from 'react';
import type { Notice } from '../../../shared/api/notices.ts';
import { isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { toasts } from '../../components/toast.tsx';
import { longDate } from '../format.ts';
import styles from './capsule-dialog.module.css';

/** What became of the email to each recipient, for who sealed the capsule. */
export function Notices({
  notices,
  sendAgain,
}: {
  notices: Notice[];
  sendAgain: (notice: Notice) => Promise<void>;
}) {
  return (
    <div className={styles.notices}>
      <dt>Notifications</dt>
      {notices.map((notice) => (
        <dd key={notice.id}>
          <span>{noticeText(notice)}</span>
          {isRepeatable(notice) && <Again notice={notice} sendAgain={sendAgain} />}
        </dd>
      ))}
    </div>
  );
}

function Again({
  notice,
  sendAgain,
}: {
  notice: Notice;
  sendAgain: (notice: Notice) => Promise<void>;
}) {
  const [isBusy, setBusy] = useState(false);
  const { recipientName: name } = notice;
  const send = async () => {
    setBusy(true);
    try {
      await sendAgain(notice);
      toasts.success(`We send it to ${name} again.`);
    } catch (error) {
      setBusy(false);
      const otherwise = `We couldn't send it again. Please try again later.`;
      toasts.failure(
        isConnectionError(error)
          ? 'You need a connection to send it again.'
          : sentenceFrom(error, otherwise),
      );
    }
  };
  return (
    <Button
      variant="quiet"
      busy={isBusy}
      aria-label={`Send again to ${name}`}
      onClick={() => void send()}
    >
      Send again
    </Button>
  );
}

function isRepeatable({ againAt }: Notice): boolean {
  return againAt !== null && Date.parse(againAt) <= Date.now();
}

function noticeText({ recipientName: name, state, at }: Notice): string {
  switch (state) {
    case 'queued':
      return `An email to ${name} is on its way`;
    case 'sent':
      return at ? `${name} was notified on ${longDate(at)}` : `${name} was notified`;
    case 'delivered':
      return at ? `Delivered to ${name} on ${longDate(at)}` : `Delivered to ${name}`;
    case 'bounced':
      return `${name}'s address doesn't accept our email`;
    case 'complained':
      return `${name} marked our email as spam`;
    case 'failed':
      return `We couldn't reach ${name} by email`;
  }
}
