import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InstallCard } from '../install.tsx';
import { ProfilePart } from '../profile-part.tsx';
import { EmailChoices } from './email-choices.tsx';
import styles from './settings.module.css';

/** Where emails go and which ones come, and what this device tells. */
export function EmailsPage() {
  return (
    <ProfilePart title="Emails">
      <Card title="Your addresses">
        <div className={`stack gap-12 to-start ${styles.part}`}>
          <p>Email addresses rarely last for decades. Add a second one for when the first fails.</p>
          <ButtonLink to="/profile/addresses">Your email addresses</ButtonLink>
        </div>
      </Card>
      <EmailChoices />
      <InstallCard />
    </ProfilePart>
  );
}
