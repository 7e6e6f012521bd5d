import { REGISTRATION_REFUSED } from '../../../shared/sentences.ts';
import { useContact, useRegistration } from '../../hooks/use-contact.ts';
import { ContactLink } from '../contact-link.tsx';

/** Why nobody can register here, and whom to ask. @param inviter of who comes by an invitation */
export function RegistrationClosed({ inviter }: { inviter?: string | null }) {
  const registration = useRegistration();
  const { isExample } = useContact();
  return (
    <p>
      {REGISTRATION_REFUSED[registration === 'invited' ? 'invited' : 'closed']}
      {!isExample && (
        <>
          {' '}
          You can write to <ContactLink />.
        </>
      )}
      {inviter !== undefined &&
        `${isExample ? ` Ask ${inviter ?? 'whoever invited you'} to put you in touch with them.` : ''} Whatever was sealed for you waits here.`}
    </p>
  );
}
