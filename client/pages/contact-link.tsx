import { useContact } from '../hooks/use-contact.ts';

/** The address of who runs this server, unless it is only the example. */
export function ContactLink() {
  const { email, isExample } = useContact();
  return isExample ? 'whoever runs this site' : <a href={`mailto:${email}`}>{email}</a>;
}

/** What the server says, in which its own address is a link. */
export function WithContactLink({ text }: { text: string }) {
  const { email } = useContact();
  const [before, after] = text.split(email);
  return (
    <span>
      {before}
      {after !== undefined && <ContactLink />}
      {after}
    </span>
  );
}
