import { REGISTRATION_REFUSED } from '../../../shared/sentences.ts';
import { useContact, useRegistration } from '../../hooks/use-contact.ts';
import { ContactLink } from '../contact-link.tsx';

/** Why nobody can register here, and whom to ask. */
export function RegistrationClosed() {
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
    </p>
  );
}
