import {
  DESCRIPTION_MAX,
  FILE_MAX_MB_DEFAULT,
  FILES_MAX,
  RECIPIENTS_MAX,
  TITLE_MAX,
  UNLOCK_YEARS_MAX,
} from '../../../shared/limits.ts';
import type { ProseSection } from '../prose.tsx';

export const CAPSULE_HELP: readonly ProseSection[] = [
  {
    id: 'locking',
    title: 'How locking works',
    body: (
      <>
        <p>
          A capsule opens at the start of its unlock day, in the time zone of the person who made
          it. Only the server decides whether that moment has come, by its own clock: setting your
          phone ahead opens nothing.
        </p>
        <p>
          Until then the server gives the message and the files to nobody, not even to the person
          who wrote them. Everyone it is for can see that it exists: its title and description, who
          it is from and to, its dates, and how many files it holds. So keep the title and the
          description free of surprises.
        </p>
        <p>
          The day cannot be changed once the capsule is sealed, neither forward nor back. It must be
          after today and at most {UNLOCK_YEARS_MAX} years ahead.
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
            Recipients are registered people; search for them by name or address. You may choose
            yourself: a letter to your future self is a fine capsule.
          </li>
          <li>
            Files can be images, videos and PDF: up to {FILES_MAX} in a capsule, each up to{' '}
            {FILE_MAX_MB_DEFAULT} MB unless this site sets another limit. What a file really
            contains counts, not its name.
          </li>
          <li>
            The title takes {TITLE_MAX} characters, the description{' '}
            {DESCRIPTION_MAX.toLocaleString('en')}, and a capsule up to {RECIPIENTS_MAX} recipients.
          </li>
          <li>
            With “Notify recipients” on, they get a mail that a capsule is waiting. It names the
            capsule, never what is in it.
          </li>
        </ul>
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
          its day on you can read the letter and print it, look at the images, play the videos, open
          PDF files, and download one file or all of them, as often as you like.
        </p>
        <p>
          The first time you look at it on a device you see it open. Any key or click ends that
          sooner.
        </p>
      </>
    ),
  },
  {
    id: 'mails',
    title: 'Which mails you get',
    body: (
      <>
        <ul>
          <li>
            When a capsule is sealed for you: “a capsule is waiting”, if its sender left “Notify
            recipients” on.
          </li>
          <li>
            On its day: “it has opened”, always, to everyone it is for and to the person who sealed
            it.
          </li>
        </ul>
        <p>
          These mails name the capsule, the sender and the day, and lead here. What is inside is
          never in a mail. A capsule opens on its day even when a mail is late or lost; your
          dashboard shows it.
        </p>
      </>
    ),
  },
  {
    id: 'deleting',
    title: 'Deleting a capsule',
    body: (
      <p>
        Only its creator can delete a capsule, locked or opened. It is then gone for everyone, with
        its files, and cannot be brought back. What somebody has already downloaded stays with them.
        A capsule you received cannot be deleted by you.
      </p>
    ),
  },
  {
    id: 'offline',
    title: 'Without a network',
    body: (
      <>
        <p>
          The app itself starts without a network. Capsules you have seen on this device stay
          listed. What you write and the files you add are kept on the device at once, and a capsule
          that you create without a connection waits in the outbox until there is one. Opening a
          capsule and downloading files need a connection.
        </p>
        <p>
          You can log out without a network too. Everything of yours is then removed from this
          device at once, and your session ends on the server as soon as there is a connection.
        </p>
        <p>
          On a phone, choose “Add to Home Screen” or “Install app” in your browser's menu to have it
          at hand like any other app.
        </p>
      </>
    ),
  },
];
