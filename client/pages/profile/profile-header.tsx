import { useState } from 'react';
import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { PersonFacts } from '../person-facts.tsx';
import { AvatarDialog } from './avatar-dialog.tsx';
import styles from './profile-header.module.css';

interface ProfileHeaderProps {
  user: CurrentUser;
  /** Null while it is not known: the counts are then left out. */
  summary: DashboardSummary | null;
}

/** Who you are to others. */
export function ProfileHeader({ user, summary }: ProfileHeaderProps) {
  const [enlarged, setEnlarged] = useState(false);
  return (
    <Card className={styles.card}>
      <button
        type="button"
        className={styles.avatar}
        aria-label="Enlarge your avatar"
        onClick={() => setEnlarged(true)}
      >
        <Avatar avatar={user.avatar} name={user.name} size={112} />
      </button>
      <PersonFacts person={user} />
      {summary && (
        <dl className={styles.counts}>
          <Count label="Total capsules" value={summary.totalCapsules} />
          <Count label="Created" value={summary.createdCapsules} />
          <Count label="Received" value={summary.receivedCapsules} />
        </dl>
      )}
      <AvatarDialog user={user} open={enlarged} onClose={() => setEnlarged(false)} />
    </Card>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
