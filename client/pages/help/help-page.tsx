import { Link } from 'react-router-dom';
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
import { useRegistration } from '../../hooks/use-contact.ts';
import { ContactLink } from '../contact-link.tsx';
import { Prose, type ProseSection } from '../prose.tsx';

/** Five answers at first sight, the rest folded. */
export function HelpPage() {
  return (
    <Prose
      title="Help Center"
      lead="Write, choose a day, seal. Here is what people ask most."
      sections={ASKED_MOST}
      more={MORE}
    />
  );
}

/** Not where only whoever runs the site can create accounts. */
function WithoutAccount() {
  if (useRegistration() === 'closed') {
    return <p>Whoever runs this site can make them one. Then you can choose them.</p>;
  }
  return (
    <p>
      Search for their full email address and choose “Invite”. You can seal right away. Once they've
      made their account, everything is waiting there.
    </p>
  );
}

const ASKED_MOST: readonly ProseSection[] = [
  {
    id: 'locking',
    title: 'When does it open?',
    body: (
      <p>
        At the start of its day, in the time zone of whoever sealed it. Only the server's clock
        counts. Until then nobody gets the letter or the files, not even you.
      </p>
    ),
  },
  {
    id: 'outside',
    title: 'What do they see before?',
    body: (
      <p>
        That it exists: its title and description, who it's from and for, its dates, and how many
        files it holds. Don't give the surprise away there.
      </p>
    ),
  },
  { id: 'inviting', title: "What if they don't have an account?", body: <WithoutAccount /> },
  {
    id: 'deleting',
    title: 'Can I take it back?',
    body: (
      <p>
        A sealed capsule can't be changed. You can delete your own, which takes it from everyone.
        It's in your <Link to="/dashboard/bin">bin</Link> for {BIN_DAYS} days, and “Bring back”
        undoes it.
      </p>
    ),
  },
  {
    id: 'password',
    title: 'Forgotten your password?',
    body: (
      <p>
        Ask for a <Link to="/auth/forgot-password">new one</Link> by email. The link works for{' '}
        {RESET_LINK_MINUTES} minutes, once. No email? Look in your spam folder.
      </p>
    ),
  },
];

const NUMBERS: readonly (readonly [what: string, number: string])[] = [
  ['Longest wait', `${UNLOCK_YEARS_MAX} years`],
  ['Recipients', `${RECIPIENTS_MAX}`],
  ['Files in a capsule', `${FILES_MAX}`],
  ['One file', `${FILE_MAX_MB_DEFAULT} MB, unless this site sets another limit`],
  ['Title, in characters', `${TITLE_MAX}`],
  ['Description', DESCRIPTION_MAX.toLocaleString('en')],
  ['Letter', MESSAGE_MAX.toLocaleString('en')],
  ['Voice memo', '10 minutes'],
  ['Files of each person who adds', `${CONTRIBUTION_MB} MB`],
  ['Invitations a day', `${INVITATIONS_A_DAY}`],
  ['Link that confirms an address', `${VERIFICATION_LINK_HOURS} hours`],
];

const MORE: readonly ProseSection[] = [
  {
    id: 'drafts',
    title: 'Going on later, or elsewhere',
    body: (
      <>
        <p>
          What you write is saved on your device at once, and to your account as soon as there's a
          connection. Sign in on another device to go on there. If both devices wrote in the same
          place, the draft keeps both versions.
        </p>
        <p>
          Whoever runs this server could read the drafts in your account. Under{' '}
          <Link to="/profile/safety">Safety</Link> you can choose that new ones stay on the device
          where you begin them. They're then gone if that browser's data is deleted.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Asking others to add',
    body: (
      <>
        <p>
          Below the letter of a draft you can make a link. Whoever you send it to adds a letter,
          photos, videos or their voice, without an account. You see who has added something and how
          much, and can remove it unread. Nobody reads it before the day, not even you.
        </p>
        <p>
          They can change it or take it back until you seal the capsule. If the link gets into wrong
          hands, turn it off and make a new one.
        </p>
      </>
    ),
  },
  {
    id: 'receiving',
    title: 'Receiving a capsule',
    body: (
      <>
        <p>
          It's under “Shared With Me” as soon as it is sealed, and on top of your dashboard once it
          has opened. You can then read, print and download everything in it, as often as you like.
        </p>
        <p>
          After reading we ask once whether its sender may know. Only if you say yes do they see the
          day. What you don't want in your list can be moved out of sight, from the menu on its
          card.
        </p>
      </>
    ),
  },
  {
    id: 'offline',
    title: 'Without a network',
    body: (
      <>
        <p>
          The app starts and saves what you write. What you seal waits in the outbox, and goes out
          by itself. Capsules you've seen stay listed. Letters you've opened can be read, with
          photos and voice memos that were shown. Videos and downloads need a connection.
        </p>
        <p>
          If you sign out, everything of yours is deleted from this device, but not from your
          account. On a phone, choose “Add to Home Screen” in your browser's menu to open it like
          any other app.
        </p>
        <p>
          The oldest browsers that work are Chrome and Edge 123, Firefox 121 and Safari 17.5, which
          comes with iOS 17.5.
        </p>
      </>
    ),
  },
  {
    id: 'mails',
    title: "Emails you'll get",
    body: (
      <>
        <p>
          When a capsule is sealed for you, if its sender turned on “Notify recipients”. On its day.
          A month later, if you haven't opened it. And once a year, so that we can still reach you.
          They name the capsule, never what's inside.
        </p>
        <p>
          Turn each of them off under <Link to="/profile/emails">Emails</Link>, or by the link at
          its end. A capsule opens on its day even when an email is lost.
        </p>
      </>
    ),
  },
  {
    id: 'blocking',
    title: 'Somebody bothers you?',
    body: (
      <p>
        Block them, from the menu of a capsule or on their profile. You won't see or hear of their
        new capsules, and they see no difference. You can also report a capsule or a person to
        whoever runs this site. They see what you can see, so never what's still sealed, and you'll
        get an email when they've looked at it.
      </p>
    ),
  },
  {
    id: 'signing-in',
    title: 'Signing in safely',
    body: (
      <>
        <p>
          <Link to="/profile/sign-in">Signing in</Link> shows every device that is signed in, and
          signs it out. There you can add a passkey, so that your fingerprint, face or PIN signs you
          in. Lost the device? Remove its passkey there, and sign it out.
        </p>
        <p>
          With “Ask for a passkey on new devices”, your password alone isn't enough where you hadn't
          signed in before. If you've lost every passkey and recovery code, choose “Forgot
          password?”.
        </p>
        <p>
          We email all your addresses about new devices, passkeys and addresses. For {UNDO_DAYS}{' '}
          days a link in that email undoes a change that wasn't yours.
        </p>
      </>
    ),
  },
  {
    id: 'addresses',
    title: 'Your email addresses',
    body: (
      <>
        <p>
          Email addresses rarely last for decades.{' '}
          <Link to="/profile/addresses">Add a second one</Link> for when the first fails. With two,
          a new password chosen by email needs a yes from your other address, or waits{' '}
          {PASSWORD_WAITS_DAYS} days. A <Link to="/auth/recovery-code">recovery code</Link> does the
          same as that yes.
        </p>
        <p>
          Some sites ask you to confirm your address first. If that link has expired, sign in with
          your password and choose “Resend”.
        </p>
      </>
    ),
  },
  {
    id: 'export',
    title: 'Taking your data with you',
    body: (
      <p>
        “Export as ZIP”, under <Link to="/profile/safety">Safety</Link>, gives you everything of
        yours that is open. Unpack it and open “index.html” in any browser. It needs no network and
        no account, and prints as a book. Sealed capsules are listed, but stay sealed.
      </p>
    ),
  },
  {
    id: 'leaving',
    title: 'Deleting your account',
    body: (
      <p>
        Under <Link to="/profile/safety">Safety</Link>, with your password. You choose whether what
        you sealed for others is delivered on its day, under your name, or destroyed. After that,
        nobody can take it back. Everything else goes at once, so export what you want to keep.
      </p>
    ),
  },
  {
    id: 'numbers',
    title: 'How much, how long',
    body: (
      <table>
        <tbody>
          {NUMBERS.map(([what, number]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{number}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  },
  {
    id: 'contact',
    title: 'Still stuck?',
    body: (
      <p>
        Write to <ContactLink />. Tell us what you did, what you saw and roughly when. Please never
        send a password or a link from an email.
      </p>
    ),
  },
];
