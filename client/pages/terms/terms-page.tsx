import { Link } from 'react-router-dom';
import { OutsideLink } from '../../components/outside-link.tsx';
import { siteName } from '../../components/site-name.ts';
import { useContact } from '../../hooks/use-contact.ts';
import { Prose, type ProseSection } from '../prose.tsx';

const SECTIONS: readonly ProseSection[] = [
  {
    id: 'service',
    title: 'What you get',
    body: (
      <p>
        {siteName()} keeps letters and files for you and the people you name, and shows them from a
        day you choose. By making an account you agree to these terms and to the{' '}
        <Link to="/privacy">Privacy Policy</Link>.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        Use an address that is yours: resets and notices go there. Keep your password to yourself,
        and tell us if you think somebody else knows it. What is done while signed in as you counts
        as done by you.
      </p>
    ),
  },
  {
    id: 'content',
    title: 'What you put in',
    body: (
      <>
        <p>
          What you write and upload stays yours. You allow us only what the service needs: to store
          it, and to give it to your recipients from its day on.
        </p>
        <p>You promise not to use the service to</p>
        <ul>
          <li>send what is against the law, or what you have no right to share;</li>
          <li>harass, threaten or deceive people, or flood them with capsules;</li>
          <li>spread malware, or break into or overload the service.</li>
        </ul>
        <p>
          We may remove such content, and suspend or close the accounts it comes from. A week before
          we close an account, we tell all of its addresses.
        </p>
      </>
    ),
  },
  {
    id: 'lock',
    title: 'What the lock promises',
    body: (
      <>
        <p>
          Once a capsule is sealed, its day can't be moved, and nobody sees its contents before
          then, not even you. There is no key for emergencies, so keep a copy of anything you may
          need earlier.
        </p>
        <p>
          The lock is kept by software on a server, not by end-to-end encryption. Our{' '}
          <Link to="/privacy#operator">Privacy Policy</Link> says plainly what that means.
        </p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'What we cannot promise',
    body: (
      <>
        <p>
          Capsules may wait for decades, and we build for that. Still, machines fail, emails get
          lost and services end. The service is provided as it is, without warranty. Never make it
          the only place for something you cannot lose.
        </p>
        <p>
          If the service has to close, we'll tell you by email in good time, so that you can save
          what is yours. The figures on the home page are decoration, not a commitment.
        </p>
      </>
    ),
  },
  {
    id: 'ending',
    title: 'Leaving, and changes',
    body: (
      <p>
        You may delete your capsules, export your data and close your account at any time, under{' '}
        <Link to="/profile/safety">Safety</Link>. Capsules you leave to others stay subject to what
        you promised above. If these terms change in a way that matters, we tell you by email before
        they apply.
      </p>
    ),
  },
];

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
      sections={SECTIONS}
    />
  );
}
