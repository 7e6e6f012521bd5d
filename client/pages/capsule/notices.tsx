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
  const on = at ? ` on ${longDate(at)}` : '';
  switch (state) {
    case 'queued':
      return `An email to ${name} is on its way`;
    case 'sent':
      return `${name} was notified${on}`;
    case 'delivered':
      return `Delivered to ${name}${on}`;
    case 'bounced':
      return `${name}'s address refused our email${on}`;
    case 'complained':
      return `${name} marked our email as spam${on}`;
    case 'failed':
      return at
        ? `We couldn't reach ${name} by email, and stopped trying${on}`
        : `We couldn't reach ${name} by email`;
    case 'unknown':
      return `We sent ${name} an email${on}, but don't know whether it arrived`;
  }
}
