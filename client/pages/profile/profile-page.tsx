import { useState } from 'react';
import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { sentenceFrom } from '../../api/errors.ts';
import { Avatar, isImageAvatar } from '../../components/avatar.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Fact } from '../../components/fact.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useSummary } from '../../hooks/use-capsules.ts';
import { useMe } from '../../hooks/use-people.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import { PROFILE_LOAD_HINT } from '../format.ts';
import { InstallCard } from '../install.tsx';
import { PersonFacts } from '../person-facts.tsx';
import { ProfilePart } from '../profile-part.tsx';
import { EmailChoices } from './email-choices.tsx';
import styles from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';
import settings from './settings.module.css';

/* In the same file of code: it is a few lines, and whoever comes to it has been here. */
export { PeoplePage } from '../people/people-page.tsx';
export { SafetyPage } from './safety-page.tsx';

export function ProfilePage() {
  const me = useMe();
  const summary = useSummary(new Date().getFullYear());
  const user = me.data;

  if (!user) {
    return (
      <div className="stack gap-24">
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
                <p className="quiet small">
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
    <div className="person-page stack gap-24 top">
      <ProfileHeader user={user} summary={summary} />
      <div className="stack gap-24">
        <Card title="You">
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
        <Card title="Emails">
          <div className={`stack gap-12 to-start ${settings.part}`}>
            <p>Which emails you get, your addresses, and news on this device.</p>
            <ButtonLink to="/profile/emails">Emails and addresses</ButtonLink>
          </div>
        </Card>
        <Card title="Safety">
          <div className={`stack gap-12 to-start ${settings.part}`}>
            <p>Where you're signed in, your password, whom you've blocked, and your data.</p>
            <ButtonLink to="/profile/safety">Safety and data</ButtonLink>
          </div>
        </Card>
      </div>
    </div>
  );
}

interface ProfileHeaderProps {
  user: CurrentUser;
  /** Without it the counts are left out. While it loads they keep their place. */
  summary: Resource<DashboardSummary>;
}

function ProfileHeader({ user, summary }: ProfileHeaderProps) {
  const [enlarged, setEnlarged] = useState(false);
  return (
    <Card className="stack gap-16 centred">
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
        <dl
          className={`stack gap-8 figures wide line-above pad-above ${styles.counts}`}
          data-loading={summary.isLoading}
        >
          <Fact name="Total capsules">{summary.data?.totalCapsules ?? 0}</Fact>
          <Fact name="Created">{summary.data?.createdCapsules ?? 0}</Fact>
          <Fact name="Received">{summary.data?.receivedCapsules ?? 0}</Fact>
        </dl>
      )}
      {enlarged && <AvatarDialog user={user} onClose={() => setEnlarged(false)} />}
    </Card>
  );
}

function AvatarDialog({ user, onClose }: { user: CurrentUser; onClose: () => void }) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <Dialog title="Your avatar" onClose={onClose}>
      <div className={`stack gap-16 ${styles.enlarged}`}>
        {!isImageAvatar(user.avatar) && <Avatar avatar={user.avatar} name={user.name} size={240} />}
        {isImageAvatar(user.avatar) && failed !== user.avatar && (
          <img
            className={styles.image}
            src={user.avatar}
            alt={`Avatar of ${user.name}`}
            referrerPolicy="no-referrer"
            onError={() => setFailed(user.avatar)}
          />
        )}
        <p className="silent" role="alert">
          {failed === user.avatar && 'Failed to load image'}
        </p>
        <p className="quiet small">Click outside or press ESC to close</p>
      </div>
    </Dialog>
  );
}

/** Where emails go and which ones come, and what this device tells. */
export function EmailsPage() {
  return (
    <ProfilePart title="Emails">
      <Card title="Your addresses">
        <div className={`stack gap-12 to-start ${settings.part}`}>
          <p>Email addresses rarely last for decades. Add a second one for when the first fails.</p>
          <ButtonLink to="/profile/addresses">Your email addresses</ButtonLink>
        </div>
      </Card>
      <EmailChoices />
      <InstallCard />
    </ProfilePart>
  );
}
