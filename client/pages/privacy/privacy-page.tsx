import { Link } from 'react-router-dom';
import { BIN_DAYS } from '../../../shared/limits.ts';
import { OutsideLink } from '../../components/outside-link.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import { ContactLink } from '../contact-link.tsx';
import { Prose, type ProseSection } from '../prose.tsx';

const SECTIONS: readonly ProseSection[] = [
  {
    id: 'kept',
    title: 'What is kept on the server',
    body: (
      <ul>
        <li>Your name, email address, bio and picture, and when you joined.</li>
        <li>
          We never store your password itself, only a hash (argon2id) that can't be turned back.
          Sessions and reset links are stored only as hashes.
        </li>
        <li>
          Your capsules: titles, descriptions, messages, files, recipients and days. Nothing else
          about how you use the app is recorded, and there is no tracking or advertising.
        </li>
        <li>
          Your drafts and their files, so that you can go on elsewhere, with the kind of browser and
          system that wrote them last. Drafts that you keep on their device reach us only when you
          create the capsule.
        </li>
        <li>
          If you add something to another person's draft by a link, the name you gave, your letter
          and your files, until you take them back or who asked you removes them or their draft.
          Once it's sealed, it is part of their capsule. You need no account for it. Besides that we
          keep when you wrote it, and a fingerprint by which your browser alone can change it.
        </li>
        <li>
          If somebody has invited you, your email address, until you make your account or refuse.
          After that a fingerprint of your address stays, so that nobody can invite you again. Who
          invited you and the name they gave you stay with it.
        </li>
        <li>
          If you asked to be told on a device when a capsule opens, the address that its browser
          gave us for that, until you turn it off or log out there. The message passes through the
          browser's maker, encrypted, and names neither title nor sender.
        </li>
        <li>
          Your answer when we ask whether a sender may know that you have read their capsule, and if
          it was yes, the day. Nobody else sees it.
        </li>
        <li>
          For as long as you're signed in somewhere, the kind of browser and system, such as
          “Firefox on Windows”, the day you signed in and the day you last used it. You find them
          under “Safety” on your profile.
        </li>
        <li>
          If you add passkeys, their public keys, with which nobody can sign in, and the day you
          last used each. Of recovery codes, only hashes.
        </li>
        <li>
          If you sign in with an account that you have elsewhere, the number by which it knows you
          and the day you last used it. It tells us your name and address there, and learns that you
          come here.
        </li>
        <li>
          Whom you have blocked, which nobody else sees. What you report goes to whoever runs this
          site, with your name and your words. It's deleted half a year after the answer, or after
          two years.
        </li>
        <li>
          If whoever runs this site has suspended your account, given it limits of its own or
          otherwise changed it for you, when, and why in their words.
        </li>
        <li>
          Technical logs of requests, to keep the service running. Passwords, cookies, messages and
          file names are not written to them.
        </li>
      </ul>
    ),
  },
  {
    id: 'operator',
    title: 'What the operator can see',
    body: (
      <>
        <p>
          The lock is kept by the server's software, not by encryption that only you could undo. On
          every screen and through every call, a locked capsule stays shut for its recipients, for
          you and for anyone who signs in as you.
        </p>
        <p>
          But capsules are not end-to-end encrypted. Whoever runs the server has access to its
          database and its storage, and could technically read them before their day. We do not do
          that, but you should know that you are trusting us with it. Do not put into a capsule what
          must not be readable by anyone else under any circumstances.
        </p>
        <p>
          The same is true of the drafts in your account, and of what others add to them, until we
          seal letters from the server too.
        </p>
        <p>
          When the operator does something to your account, such as signing you out or starting a
          change of your address, the server writes down what was done, when and why. Once your
          account is deleted, the note no longer says whose it was.
        </p>
        <p>
          The operator cannot see your password, and cannot bring back a capsule that is gone from
          your bin, except from backups while those last.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'What other people can see',
    body: (
      <ul>
        <li>
          Signed-in people can find you by name or email address. Your public profile, with your
          name, email address, bio, picture, joining date and how many capsules you have created and
          received, can be seen by anyone who has its link.
        </li>
        <li>
          The recipients of a capsule see its title, description, sender, recipients, dates and
          number of files at once; the message and the files from the unlock day on.
        </li>
        <li>
          If you were invited and have no account yet, only those who invited you find you. Anybody
          signed in who enters your exact address can seal a capsule for you.
        </li>
        <li>Somebody you've blocked, or who has blocked you, can't find you by searching.</li>
        <li>Nobody else can see that a capsule exists.</li>
      </ul>
    ),
  },
  {
    id: 'device',
    title: 'What is kept on your device',
    body: (
      <>
        <p>
          A cookie that keeps you signed in for up to 30 days of not using the app, and one that
          protects you against forged requests. A third one stays for 400 days, after you log out as
          well. It tells us that you've signed in here before, so that nobody who guesses at your
          password holds you up, and so that we needn't warn you of a new device. It doesn't say who
          you are. The browser's storage holds a note that you are signed in, the appearance you
          chose, which capsules you have seen opening, a copy of your capsule lists, and your
          drafts. The names and addresses of people you have chosen, invited or written back to are
          kept there, so that you can choose them again without a connection. What a locked capsule
          hides is never stored there.
        </p>
        <p>
          When you log out, everything else that is yours is removed from the device. Drafts in your
          account stay there. Please log out on a shared computer.
        </p>
        <p>
          What you add to another person's draft by a link stays in the browser you wrote it in,
          until you delete it on that page.
        </p>
      </>
    ),
  },
  {
    id: 'mail',
    title: 'Email, and others involved',
    body: (
      <p>
        We email you links you asked for, notices of capsules that wait or have opened, a question
        about a draft that nobody has touched for two years, and a note when something happens to
        your account, such as a new password, a passkey or a sign-in on a new device. The operator's
        email provider delivers these and so sees your address and the notice, but no message and no
        file. There is one exception. If somebody reports an opened capsule, its message and the
        names of its files are emailed to whoever runs this site. Fonts, icons and code come from
        this site itself; nothing is loaded from third parties.
      </p>
    ),
  },
  {
    id: 'deletion',
    title: 'Deletion and export',
    body: (
      <>
        <p>
          A capsule you delete exists for nobody any more, but the server keeps it for {BIN_DAYS}{' '}
          days, so that you can bring it back. Then its record, its message and its files are
          removed, or at once with “Delete now” in your bin. Copies in the operator's backups
          disappear when those backups expire.
        </p>
        <p>
          A draft you discard is deleted from the server at once, and its files about a week later.
          Only a note that it's gone stays for 400 days, so that your other devices hear of it.
        </p>
        <p>
          Under <Link to="/profile/safety">Safety</Link> you can export everything as a ZIP file,
          and delete your account. Then your name, address, bio, picture, password, sessions and the
          emails waiting for you are removed at once, as are your drafts and the capsules you sealed
          for yourself alone.
        </p>
        <p>
          Capsules you sealed for others are destroyed, or left to them, as you choose. Those you
          leave keep your name as their sender, and a fingerprint of your address, so that they
          count towards your storage if you come back. They keep nothing else about you. Any
          question about your data is answered at <ContactLink />.
          <Imprint />
        </p>
      </>
    ),
  },
];

/** Who is responsible for the site, where its operator says so. */
function Imprint() {
  const { imprintUrl } = useContact();
  if (!imprintUrl) return null;
  return (
    <>
      {' '}
      Who runs this site is in its <OutsideLink url={imprintUrl}>imprint</OutsideLink>.
    </>
  );
}

export function PrivacyPage() {
  return (
    <Prose
      title="Privacy Policy"
      lead="What is kept about you, who can see it and for how long. No small print."
      sections={SECTIONS}
    />
  );
}
