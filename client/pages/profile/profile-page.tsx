import { messageFrom } from '../../http/call-error.ts';
import { useLatestSummary } from '../../state/latest-summary.ts';
import { useMe, useOwner } from '../../state/person.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { InstallCard } from '../install/install-card.tsx';
import { AccountData } from './account-data.tsx';
import styles from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';
import { ProfileHeader } from './profile-header.tsx';

export function ProfilePage() {
  const owner = useOwner();
  const me = useMe();
  const summary = useLatestSummary(owner);
  const user = me.value;

  if (!user) {
    const isWaiting = me.isRefreshing || !me.isRead;
    return (
      <div className={styles.account}>
        <h1 tabIndex={-1} className={isWaiting ? 'visually-hidden' : undefined}>
          Profile
        </h1>
        {isWaiting ? (
          <Spinner label="Loading profile..." />
        ) : (
          <EmptyState
            sentence="Unable to load profile information"
            action={
              <>
                <p className={styles.reason}>{messageFrom(me.error, '')}</p>
                <Button onClick={() => void me.refresh()}>Try again</Button>
              </>
            }
          />
        )}
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <ProfileHeader user={user} summary={summary.value?.summary ?? null} />
      <div className={styles.account}>
        <Card>
          <Tabs
            label="Your account"
            value="profile"
            onChange={() => undefined}
            tabs={[
              {
                value: 'profile',
                label: 'Profile',
                // Another person's form starts afresh.
                panel: <ProfileForm key={user.id} user={user} />,
              },
            ]}
          />
        </Card>
        <InstallCard />
        <AccountData />
      </div>
    </div>
  );
}
