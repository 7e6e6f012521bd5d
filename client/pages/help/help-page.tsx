import { Link } from 'react-router-dom';
import {
  BIN_DAYS,
  CONTRIBUTION_MB,
  DESCRIPTION_MAX,
  FILE_MAX_MB_DEFAULT,
  FILES_MAX,
  INVITATIONS_A_DAY,
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

const CONTACT: ProseSection = {
  id: 'contact',
  title: 'Still stuck?',
  body: (
    <p>
      Write to <ContactLink />. Tell us what you did, what you saw and roughly when. Please never
      send a password or a reset link.
    </p>
  ),
};

/** Not where only whoever runs the site can create accounts. */
function HowToInvite() {
  if (useRegistration() === 'closed') return null;
  return (
    <li>
      Don't they have an account? Search for their full email address and choose “Invite”. You can
      seal the capsule right away. We send them one email in your name, and one on the day. Once
      they've made their account, everything is waiting there. If they refuse, we remove them from
      the capsule, and its details say so. You can invite {INVITATIONS_A_DAY} people a day.
    </li>
  );
}

export function HelpPage() {
  return (
    <Prose
      title="Help Center"
      lead="How capsules are sealed and opened, what works without a network, and what to do when something doesn't."
      sections={[...CAPSULE_HELP, ...ACCOUNT_HELP, CONTACT]}
    />
  );
}

const CAPSULE_HELP: readonly ProseSection[] = [
  {
    id: 'locking',
    title: 'How locking works',
    body: (
      <>
        <p>
          A capsule opens at the start of its unlock day, in the time zone of the person who made
          it. Only the server decides whether that moment has come, by its own clock. Setting your
          phone ahead opens nothing.
        </p>
        <p>
          Until then nobody can get the message or the files, not even the person who wrote them.
          Recipients can see that it exists, with its title and description, who it is from and to,
          its dates, and how many files it holds. So don't give the surprise away in the title or
          the description.
        </p>
        <p>
          Once the capsule is sealed, its day can't be moved, neither forward nor back. It must be
          after today and at most {UNLOCK_YEARS_MAX} years ahead.
        </p>
        <p>
          “Add to calendar”, in the details of a sealed capsule, saves its day for your calendar.
          The entry names neither the capsule nor its people.
        </p>
      </>
    ),
  },
  {
    id: 'creating',
    title: 'Making a capsule',
    body: (
      <>
        <p>Every capsule needs a title, a description, at least one recipient and a day.</p>
        <ul>
          <li>
            Recipients are registered people. Search for them by name or address. You can choose
            yourself, and a letter to your future self is a great start.
          </li>
          <HowToInvite />
          <li>
            Files can be images, videos and PDFs, up to {FILES_MAX} in a capsule, each up to{' '}
            {FILE_MAX_MB_DEFAULT} MB unless this site sets another limit. We go by what's in a file,
            not by its name.
          </li>
          <li>
            “Record a voice memo”, under “Content”, records up to 10 minutes, even without a
            connection. Listen to it before you add it. Your browser asks first whether this site
            may use the microphone.
          </li>
          <li>
            The title takes {TITLE_MAX} characters, the description{' '}
            {DESCRIPTION_MAX.toLocaleString('en')}, and a capsule up to {RECIPIENTS_MAX} recipients.
          </li>
          <li>
            With “Notify recipients” on, they get an email that a capsule is waiting. It names the
            capsule, never what's inside.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'drafts',
    title: 'Going on later, or elsewhere',
    body: (
      <>
        <p>
          What you write is saved on your device at once, and to your account as soon as there's a
          connection. Sign in on another device to go on there. Files follow the words. Where your
          device saves data, they wait until you create the capsule.
        </p>
        <p>
          If you write in the same place on two devices, both versions are saved. The draft shows
          you the other one, and you use it or let it go.
        </p>
        <p>
          Whoever runs this server could read the drafts in your account, until we seal letters from
          the server too. “Only on this device”, below the summary of a draft, takes it out of your
          account. It's then in this browser alone, and gone if the browser's data is deleted. On
          your <Link to="/profile">profile</Link> you can choose this for all new drafts.
        </p>
        <p>
          Drafts in your account count towards your storage. We never delete them unasked. After two
          years without a change, we ask you by email whether you still want them.
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
          Below the contents of a draft you can make a link. Send it to whoever should have a part
          in it: they add a letter, photos, films or their voice, and need no account. They see your
          name, the title and the words you write to them.
        </p>
        <p>
          You see who has added something and how much, and can remove it unread. Nobody can read it
          before the day: not you, not the others, not those you send it to. They can change it or
          take it back until you create the capsule. What has arrived by then is in it, after your
          own letter.
        </p>
        <p>
          Up to {CONTRIBUTION_MB} MB for each person count towards your storage. If the link gets
          into wrong hands, make a new one: the old one ends.
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
          A capsule addressed to you appears under “Shared With Me” as soon as it is sealed. From
          its day on you can read the letter and print it, look at the images, play the videos and
          voice memos, open PDF files, and download one file or all of them, as often as you like.
        </p>
        <p>
          Once it has opened, it waits at the top of your dashboard until you break the seal. From
          then on it shows the letter at once, on all your devices.
        </p>
        <p>
          When you have read it, we ask once whether its sender may know. Only if you say yes do
          they see the day you opened it. On your profile you can choose “always” or “never”.
        </p>
        <p>
          A capsule you don't want in your list can be moved out of sight, from the menu on its
          card. It isn't deleted and still opens on its day. You'll find it under “Out of sight”,
          below the list. The same menu brings it back.
        </p>
      </>
    ),
  },
  {
    id: 'blocking',
    title: 'Somebody bothers you?',
    body: (
      <>
        <p>
          Block them, from the menu of a capsule they sent you or on their profile. Their new
          capsules don't show up anywhere then, and we don't tell you about any of them. They aren't
          told, and see no difference. You can unblock them in your profile, under “People”. Then
          you'll see what they've sent you meanwhile.
        </p>
        <p>
          In the same menus you can report a capsule or a person to whoever runs this site. They see
          who reported what and why, and of a capsule what you can see yourself, so never what is
          still sealed. You'll get an email when they have looked at it.
        </p>
      </>
    ),
  },
  {
    id: 'mails',
    title: "Emails you'll get",
    body: (
      <>
        <ul>
          <li>
            When a capsule is sealed for you: “a capsule is waiting”, if its sender left “Notify
            recipients” on.
          </li>
          <li>
            On its day: “it has opened”, to everyone it's addressed to and to the person who sealed
            it.
          </li>
          <li>A month later: one reminder, if you haven't opened it yet.</li>
          <li>Once a year: the question whether your address is still yours.</li>
          <li>
            Once a year, if you ask for them on your <Link to="/profile">profile</Link>: that your
            capsules are still waiting, and a link to save a copy of everything.
          </li>
        </ul>
        <p>
          You can turn each of these off on your <Link to="/profile">profile</Link>, or by the link
          at the end of the email.
        </p>
        <p>
          Emails about capsules name the capsule, the sender and the day, and lead here. They never
          say what's inside. A capsule opens on its day even when an email is late or lost. Your
          dashboard shows it.
        </p>
      </>
    ),
  },
  {
    id: 'deleting',
    title: 'Deleting a capsule',
    body: (
      <>
        <p>
          Only its creator can delete a capsule, locked or opened. It's then gone for everyone.
          Whatever somebody has downloaded stays with them. You can't delete a capsule you received.
        </p>
        <p>
          For {BIN_DAYS} days it's in your <Link to="/dashboard/bin">bin</Link>, where it still
          counts towards your storage. “Bring back” gives it back to everyone, just as it was. If
          its day has come meanwhile, it opens then. We email you about each deletion, with a link
          that brings the capsule back, in case it wasn't you. “Delete now” makes room right away,
          and asks for your password.
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
          The app itself starts without a network. Capsules you have seen on this device stay
          listed. What you write and the files you add are saved on the device at once, and a
          capsule you create without a connection waits in the outbox until there is one. Letters
          that have opened can be read offline once the app has seen them, with the photos and voice
          memos it has shown. Videos and downloads need a connection.
        </p>
        <p>
          You can sign out without a network. Everything of yours is then deleted from this device
          at once, except that drafts in your account stay there, and your session ends on the
          server as soon as there's a connection.
        </p>
        <p>
          On a phone, choose “Add to Home Screen” or “Install app” in your browser's menu to open it
          like any other app.
        </p>
      </>
    ),
  },
];

const ACCOUNT_HELP: readonly ProseSection[] = [
  {
    id: 'password',
    title: 'Forgotten or new password',
    body: (
      <>
        <p>
          Ask for a link on the <Link to="/auth/forgot-password">reset page</Link>. It works for{' '}
          {RESET_LINK_MINUTES} minutes, once. Only the newest link works. A new password signs you
          out on all devices.
        </p>
        <p>
          No email? Check your spam folder, and that it's the address you registered with. The page
          answers the same whether there's an account or not, so nobody can find out who is
          registered.
        </p>
      </>
    ),
  },
  {
    id: 'signing-in',
    title: "Passkeys, and where you're signed in",
    body: (
      <>
        <p>
          The page <Link to="/profile/sign-in">Signing in</Link> shows every device that is signed
          in to your account, and signs it out. When somebody signs in on a device where you hadn't,
          we email all of your addresses.
        </p>
        <p>
          There you can add a passkey. You then sign in by your fingerprint, your face or your
          device's PIN, and nobody can lure a password out of you. Your password works as before.
          When a passkey is added, we email all of your addresses, and a link in that email removes
          it for {UNDO_DAYS} days. A new password removes the passkeys of the last {UNDO_DAYS} days
          as well.
        </p>
        <p>
          If you turn on “Ask for a passkey on new devices”, your password alone signs nobody in
          where you hadn't signed in before. There it takes a passkey, or your password with a
          recovery code. If you've lost both, choose “Forgot password?”. Your new password then
          takes effect after {PASSWORD_WAITS_DAYS} days, and new devices don't need a passkey any
          more. Anybody else's is dropped as soon as you sign in.
        </p>
        <p>
          Some sites also offer “Continue with …”, with an account that you have elsewhere. If you
          have an account here already, sign in as usual first, and link it on that page. We email
          all of your addresses, and a link in that email unlinks it for {UNDO_DAYS} days.
        </p>
        <p>Lost the device? Remove its passkey on that page, and sign the device out.</p>
      </>
    ),
  },
  {
    id: 'verifying',
    title: 'Confirming your address',
    body: (
      <p>
        Some sites ask you to confirm your address before the first sign-in. The link in that email
        works for {VERIFICATION_LINK_HOURS} hours, or for a year if somebody has invited you. When
        it has expired, sign in with your password and choose “Resend”.
      </p>
    ),
  },
  {
    id: 'addresses',
    title: 'Your email addresses',
    body: (
      <>
        <p>
          Under <Link to="/profile/addresses">your email addresses</Link> you change your main
          address, and add a second one for when it fails. A new address counts once you've pressed
          the link we send there. We write to the ones you had before, and whoever reads them can
          undo the change for {UNDO_DAYS} days.
        </p>
        <p>
          With two confirmed addresses, a new password that you choose by email waits until you say
          yes at the other one, for {PASSWORD_WAITS_DAYS} days at most. Signing in with the old
          password cancels it.
        </p>
        <p>
          <Link to="/profile/sign-in">Recovery codes</Link> that you've printed do the same as a yes
          at the other address. Enter one <Link to="/auth/recovery-code">here</Link>, once you've
          chosen a new password by email.
        </p>
        <p>
          Lost access to both addresses? Please write to <ContactLink />.
        </p>
      </>
    ),
  },
  {
    id: 'export',
    title: 'Taking your data with you',
    body: (
      <>
        <p>
          On your <Link to="/profile">profile</Link>, “Export as ZIP” gives you everything at once:
          your account, your drafts, both of your capsule lists, and the messages and files of every
          capsule that has opened. Sealed capsules are listed, but stay sealed. An export is no way
          around the lock.
        </p>
        <p>
          Unpack it and open “index.html” in any browser. It shows your letters, photos, videos and
          documents, and prints as a book with a list of contents. Chrome and Edge add page numbers.
          It needs no network and no account, so it still works from a USB stick when this site is
          long gone. “README.txt” explains how the archive is built.
        </p>
        <p>To unpack an archive of more than 4 GB on a Mac, you may need another unzip app.</p>
      </>
    ),
  },
  {
    id: 'leaving',
    title: 'Deleting your account',
    body: (
      <>
        <p>
          The button is at the end of your <Link to="/profile">profile</Link>, and asks for your
          password. You choose what happens to the capsules you sealed for others. They are
          delivered on their day, under your name but without your address, or they are destroyed.
          After that, nobody can take them back.
        </p>
        <p>
          Everything else of yours is deleted at once and can't be brought back, so export what you
          want to keep first.
        </p>
      </>
    ),
  },
];
