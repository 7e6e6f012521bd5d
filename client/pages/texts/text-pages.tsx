import {
  BIN_DAYS,
  CONTRIBUTION_MB,
  DESCRIPTION_MAX,
  FILE_MAX_MB_DEFAULT,
  FILES_MAX,
  INVITATIONS_A_DAY,
  MESSAGE_MAX,
  PASSWORD_WAITS_DAYS,
  RECIPIENTS_MAX,
  RESET_LINK_MINUTES,
  TITLE_MAX,
  UNDO_DAYS,
  UNLOCK_YEARS_MAX,
  VERIFICATION_LINK_HOURS,
} from '../../../shared/limits.ts';
import { OutsideLink } from '../../components/outside-link.tsx';
import { siteName } from '../../components/site-name.ts';
import { useContact, useRegistration } from '../../hooks/use-contact.ts';
import { ContactLink } from '../contact-link.tsx';
import help from './help.md?raw';
import privacy from './privacy.md?raw';
import { Prose } from './prose.tsx';
import terms from './terms.md?raw';

const INVITE = {
  open: "Search for their full email address and choose “Invite”. You can seal right away. Once they've made their account, everything is waiting there.",
  closed: 'Whoever runs this site can make them one. Then you can choose them.',
};

/** Five answers at first sight, the rest folded. */
export function HelpPage() {
  const registration = useRegistration();
  return (
    <Prose
      title="Help Center"
      lead="Write, choose a day, seal. Here is what people ask most."
      text={help}
      parts={{
        BIN_DAYS,
        CONTRIBUTION_MB,
        DESCRIPTION_MAX: DESCRIPTION_MAX.toLocaleString('en'),
        FILE_MAX_MB_DEFAULT,
        FILES_MAX,
        INVITATIONS_A_DAY: registration === 'closed' ? 'none' : INVITATIONS_A_DAY,
        MESSAGE_MAX: MESSAGE_MAX.toLocaleString('en'),
        PASSWORD_WAITS_DAYS,
        RECIPIENTS_MAX,
        RESET_LINK_MINUTES,
        TITLE_MAX,
        UNDO_DAYS,
        UNLOCK_YEARS_MAX,
        VERIFICATION_LINK_HOURS,
        contact: <ContactLink />,
        invite: registration === 'closed' ? INVITE.closed : INVITE.open,
      }}
    />
  );
}

export function PrivacyPage() {
  const { imprintUrl } = useContact();
  const imprint = imprintUrl && (
    <>
      {' '}
      Who runs this site is in its <OutsideLink url={imprintUrl}>imprint</OutsideLink>.
    </>
  );
  return (
    <Prose
      title="Privacy Policy"
      lead="What is kept about you, who can see it and for how long. No small print."
      text={privacy}
      parts={{ BIN_DAYS, contact: <ContactLink />, imprint: imprint ?? '' }}
    />
  );
}

export function TermsPage() {
  const { termsUrl } = useContact();
  return (
    <Prose
      title="Terms of Service"
      lead={
        <>
          What you can expect from us, and what we expect from you, in plain words.
          {termsUrl && (
            <>
              {' '}
              Whoever runs this site has{' '}
              <OutsideLink url={termsUrl}>terms of their own</OutsideLink>, which come first.
            </>
          )}
        </>
      }
      text={terms}
      parts={{ site: siteName() }}
    />
  );
}
