import { useState } from 'react';
import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Card } from '../../components/card.tsx';
import type { Resource } from '../../hooks/use-resource.ts';
import { PersonFacts } from '../person-facts.tsx';
import { AvatarDialog } from './avatar-dialog.tsx';
import styles from './profile-header.module.css';

interface ProfileHeaderProps {
  user: CurrentUser;
  /** Without it the counts are left out. While it loads they keep their place. */
  summary: Resource<DashboardSummary>;
}

/** The header card of the profile. */
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
      {(summary.isLoading || summary.data) && (
        <dl className={styles.counts} data-loading={summary.isLoading}>
          <Count label="Total capsules" value={summary.data?.totalCapsules} />
          <Count label="Created" value={summary.data?.createdCapsules} />
          <Count label="Received" value={summary.data?.receivedCapsules} />
        </dl>
      )}
      <AvatarDialog user={user} open={enlarged} onClose={() => setEnlarged(false)} />
    </Card>
  );
}

function Count({ label, value = 0 }: { label: string; value: number | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
