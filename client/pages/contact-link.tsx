import { useContact } from '../hooks/use-contact.ts';

/** The address of who runs this server. */
export function ContactLink() {
  const { email } = useContact();
  return <a href={`mailto:${email}`}>{email}</a>;
}
