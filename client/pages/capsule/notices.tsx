import type { Notice, SentInvitation } from '../../../shared/api/notices.ts';
import { Button } from '../../components/button.tsx';
import { classes } from '../../components/classes.ts';
import { FormFailure } from '../../components/form-failure.tsx';
import { CircleAlert, CircleCheck, Send } from '../../components/icon.tsx';
import { changeFailure } from '../change-failure.ts';
import { longDate, longMoment } from '../format.ts';
import { useAction } from '../use-action.ts';
import styles from './capsule-dialog.module.css';

/** What became of the emails to each recipient, for who sealed the capsule. The newest come first. */
export function Notices({
  notices,
  creatorEmail,
  sendAgain,
}: {
  notices: Notice[];
  /** Creators may be among their own recipients. */
  creatorEmail: string;
  sendAgain: (notice: Notice) => Promise<unknown>;
}) {
  const groups = HEADINGS.map(([kind, heading]) => ({
    heading,
    rows: notices.filter((notice) => notice.kind === kind),
  })).filter(({ rows }) => rows.length > 0);
  return groups.map(({ heading, rows }) => (
    <div key={heading} className={`across ${styles.notices}`}>
      <dt>{groups.length === 1 ? 'Notifications' : heading}</dt>
      {rows.map((notice) => (
        <Row
          key={notice.id}
          notice={notice}
          isYou={notice.recipientEmail === creatorEmail}
          sendAgain={sendAgain}
        />
      ))}
    </div>
  ));
}

/** Where there were notices of both kinds. */
const HEADINGS: [Notice['kind'], string][] = [
  ['capsule-opened', 'Notifications when it opened'],
  ['capsule-waiting', 'Notifications when it was sealed'],
];

/** What became of the invitation of each recipient without an account, for who invited them. */
export function Invitations({ invitations }: { invitations: SentInvitation[] }) {
  return (
    <div className={`across ${styles.notices}`}>
      <dt>{invitations.length === 1 ? 'Invitation' : 'Invitations'}</dt>
      {invitations.map((invitation) => (
        <dd key={invitation.recipientEmail} className="cluster middle">
          <Marked state={invitation.state}>{noticeText(invitation, { isInvitation: true })}</Marked>
        </dd>
      ))}
    </div>
  );
}

function Row({
  notice,
  isYou,
  sendAgain,
}: {
  notice: Notice;
  isYou: boolean;
  sendAgain: (notice: Notice) => Promise<unknown>;
}) {
  const name = isYou ? 'you' : notice.recipientName;
  const { busy, failure, run } = useAction(
    () => sendAgain(notice),
    (error) =>
      changeFailure(error, "We couldn't send it again. Please try again later.", 'send it again'),
  );
  return (
    <dd className="cluster middle">
      <span role="status" tabIndex={-1} data-focus-home>
        <Marked state={notice.state}>{noticeText(notice, { isYou })}</Marked>
      </span>
      {isRepeatable(notice) && (
        <Button
          variant="quiet"
          busy={busy}
          aria-label={`Send again to ${name}`}
          onClick={() => run()}
        >
          Send again
        </Button>
      )}
      {notice.againAt !== null && !isRepeatable(notice) && (
        // The server sends it again once a day.
        <span className={`quiet small ${styles.later}`}>
          You can send it again on {longMoment(notice.againAt)}.
        </span>
      )}
      <FormFailure message={failure} />
    </dd>
  );
}

/** All other states are trouble. */
const MARKS: Partial<Record<Notice['state'], { Mark: typeof Send; tone: string }>> = {
  queued: { Mark: Send, tone: 'quiet' },
  sent: { Mark: Send, tone: 'quiet' },
  delivered: { Mark: CircleCheck, tone: 'verdigris' },
};

/** Trouble is seen at a glance: by its icon, and by its colour. */
function Marked({ state, children }: { state: Notice['state']; children: string }) {
  const { Mark, tone } = MARKS[state] ?? { Mark: CircleAlert, tone: undefined };
  const trouble = state === 'unknown' ? 'yellow' : 'orange';
  return (
    <span className={classes('row gap-8 top', styles.notice, !tone && trouble)}>
      <Mark className={tone} size={18} />
      <span className="narrows">{children}</span>
    </span>
  );
}

function isRepeatable({ againAt }: Notice): boolean {
  return againAt !== null && Date.parse(againAt) <= Date.now();
}

function noticeText(
  { recipientName, state, at }: SentInvitation,
  { isYou = false, isInvitation = false }: { isYou?: boolean; isInvitation?: boolean },
): string {
  const name = isYou ? 'you' : recipientName;
  const on = at ? ` on ${longMoment(at)}` : '';
  switch (state) {
    case 'queued':
      return `An email to ${name} is on its way`;
    case 'sent':
      if (isInvitation)
        return at ? `You invited ${name} on ${longDate(at)}` : `You invited ${name}`;
      return `We emailed ${name}${on}`;
    case 'delivered':
      return `Delivered to ${name}${on}`;
    case 'bounced':
      return `${isYou ? 'Your' : `${name}'s`} address refused our email${on}`;
    case 'complained':
      return `${isYou ? 'You' : name} marked our email as spam${on}`;
    case 'failed':
      return at
        ? `We couldn't reach ${name} by email, and stopped trying${on}`
        : `We couldn't reach ${name} by email`;
    case 'unknown':
      return `We sent ${name} an email${on}, but don't know whether it arrived`;
  }
}
