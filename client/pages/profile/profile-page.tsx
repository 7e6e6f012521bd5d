import { PROFILE_LOAD_HINT } from '../../../shared/sentences.ts';
import { sentenceFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useMe } from '../../hooks/person.ts';
import { useSummary } from '../../hooks/use-capsules.ts';
import { InstallCard } from '../install.tsx';
import { AccountData } from './account-data.tsx';
import styles from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';
import { ProfileHeader } from './profile-header.tsx';

export function ProfilePage() {
  const me = useMe();
  const summary = useSummary(new Date().getFullYear());
  const user = me.data;

  if (!user) {
    return (
      <div className={styles.account}>
        <h1 tabIndex={-1} className={me.isLoading ? 'visually-hidden' : undefined}>
          Profile
        </h1>
        {me.isLoading ? (
          <Spinner label="Loading profile..." />
        ) : (
          <EmptyState
            sentence="Unable to load profile information"
            action={
              <>
                <p className={styles.reason}>
                  {`${sentenceFrom(me.error, '')} ${PROFILE_LOAD_HINT}`.trim()}
                </p>
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
      <ProfileHeader user={user} summary={summary} />
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
                // A new key resets the form when another person signs in.
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
