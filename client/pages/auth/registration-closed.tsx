import { registrationRefused } from '../../../shared/sentences.ts';
import { useContact } from '../../hooks/use-contact.ts';
import { WithContactLink } from '../contact-link.tsx';

/** Why nobody can register here, and whom to ask. */
export function RegistrationClosed() {
  const { registration, email, isExample } = useContact();
  return (
    <p>
      <WithContactLink text={registrationRefused(registration, isExample ? null : email)} />
    </p>
  );
}
