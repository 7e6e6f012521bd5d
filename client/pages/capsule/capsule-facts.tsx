import type { Capsule } from '../../../shared/api/capsules.ts';
import { Fact } from '../../components/fact.tsx';
import { useNotices } from '../../hooks/use-capsules.ts';
import { firstName, listText, longDate, longDay, longMoment } from '../format.ts';
import styles from './capsule-dialog.module.css';
import { Invitations, Notices } from './notices.tsx';

/** Sender, recipients and dates, of locked and opened capsules alike. */
export function CapsuleFacts({ capsule }: { capsule: Capsule }) {
  const { sent, sendAgain } = useNotices(capsule);
  const { notices, invitations = [] } = sent;
  const { refusals = 0, added = [], recipients = [] } = capsule;
  return (
    <dl className={`stack gap-16 ${styles.facts}`}>
      <div className={styles.people}>
        <dt>From</dt>
        <dd>
          {capsule.createdBy} <span className="quiet small">{capsule.senderEmail}</span>
        </dd>
      </div>
      <div className={styles.people}>
        <dt>To</dt>
        {recipients.map(({ name, email }) => (
          <dd key={email}>
            {name} <span className="quiet small">{email}</span>
          </dd>
        ))}
        {recipients.map(
          ({ name, email, openedOn }) =>
            openedOn !== undefined && (
              <dd key={`${email} opened`} className="quiet small">
                {capsule.type === 'created'
                  ? name
                  : `${firstName({ name: capsule.senderName })} knows you`}{' '}
                opened it on {longDay(openedOn)}
              </dd>
            ),
        )}
        {refusals > 0 && (
          <dd className="quiet small">
            {refusals === 1 ? '1 person' : `${refusals} people`} refused the invitation
          </dd>
        )}
      </div>
      {added.length > 0 && (
        <Fact name="Added by" dir="auto">
          {listText(added.map(({ name }) => name))}
        </Fact>
      )}
      <Fact name="Created">
        <time dateTime={capsule.createdAt}>{longDate(capsule.createdAt)}</time>
      </Fact>
      {/* While it is locked, the sentence above says the day. */}
      {!capsule.locked && (
        <Fact name="Unlock date">
          <time dateTime={capsule.dateToUnlock}>{longDay(capsule.dateToUnlock)}</time>
        </Fact>
      )}
      {isInOtherZone(capsule) && (
        <Fact name="In your time zone">{longMoment(capsule.unlockAt)}</Fact>
      )}
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      {notices.length > 0 && (
        <Notices notices={notices} creatorEmail={capsule.senderEmail} sendAgain={sendAgain} />
      )}
    </dl>
  );
}

/** The unlock day begins at another moment in the reader's time zone. */
function isInOtherZone({ dateToUnlock, unlockAt }: Capsule): boolean {
  return Date.parse(`${dateToUnlock}T00:00`) !== Date.parse(unlockAt);
}
