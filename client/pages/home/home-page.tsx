import { Link, useNavigate } from 'react-router-dom';
import { addYears } from '../../../shared/day.ts';
import { site } from '../../../shared/site.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { confirm } from '../../components/confirm.tsx';
import { CalendarDays, Lock, Users } from '../../components/icon.tsx';
import { Seal } from '../../components/seal.tsx';
import { useExternalStore } from '../../hooks/store.ts';
import { useContact, useRegistration } from '../../hooks/use-contact.ts';
import { useToday } from '../../hooks/use-now.ts';
import {
  newAccount,
  rememberWantedPage,
  useAuth,
  useWantsCapsule,
} from '../../hooks/use-session.ts';
import styles from './home-page.module.css';

const LOGIN_FIRST =
  'You need to log in first to create a time capsule. Would you like to go to the login page?';

const FEATURES = [
  {
    Mark: Lock,
    title: 'Secure and private',
    text: 'Letters, photos, videos and documents, seen only by you and the people you choose, and by no one before the day.',
  },
  {
    Mark: CalendarDays,
    title: 'You set the day',
    text: 'Next spring, a graduation, eighteen years from now. Once sealed, the date holds, even for you.',
  },
  {
    Mark: Users,
    title: 'For friends and family',
    text: "Address a capsule to the people you love, or to your future self. They'll know it's waiting, but not what's inside.",
  },
];

export function HomePage() {
  const { isLoggedIn } = useAuth();
  const isAwaited = useWantsCapsule() && !isLoggedIn;

  return (
    <>
      {!isLoggedIn && <NewAccount />}
      <section className={`stack gap-48 ${styles.hero}`}>
        <div className={`stack gap-24 to-start ${styles.words}`}>
          {isAwaited ? <CapsuleWaits /> : <Welcome />}
        </div>
        <HeroSeal isAwaited={isAwaited} />
      </section>

      <section className={`stack gap-24 ${styles.features}`} aria-label="What it does">
        {FEATURES.map(({ Mark, title, text }) => (
          <article key={title} className={`stack gap-8 sheet ${styles.feature}`}>
            <Mark className="copper" size={24} />
            <h2>{title}</h2>
            <p className="quiet">{text}</p>
          </article>
        ))}
      </section>

      <section aria-label="In figures">
        <dl className={`stack lines ${styles.figures}`}>
          {site.figures.map(({ value, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

function Welcome() {
  const { isLoggedIn } = useAuth();
  const isOpen = useRegistration() === 'open';
  const isKeptOut = !isLoggedIn && !isOpen;
  const { email } = useExternalStore(newAccount);
  const navigate = useNavigate();

  const create = async () => {
    if (isLoggedIn) return navigate('/create');
    if (!(await confirm('Sign in first?', LOGIN_FIRST))) return;
    rememberWantedPage('/create');
    navigate('/auth');
  };

  return (
    <>
      <h1>Seal it today. Open it when the time is right.</h1>
      <p className={`quiet large ${styles.lead}`}>
        Write a letter, record your voice, add photos, videos and PDFs, and choose a day. Until then
        it stays sealed. For everyone, even you.
      </p>
      <div className={`cluster gap-12 ${styles.actions}`}>
        {isKeptOut && (
          <ButtonLink variant="primary" to="/auth">
            Sign in
          </ButtonLink>
        )}
        <Button variant={isKeptOut ? 'secondary' : 'primary'} onClick={create}>
          Create Your Capsule
        </Button>
        {!isLoggedIn && isOpen && email === '' && (
          <ButtonLink to="/auth?register=true">Get Started Free</ButtonLink>
        )}
      </div>
      {isKeptOut && <WhomToAsk />}
      <p className="quiet">
        Works without a connection. Free, open-source software you can run at home.
      </p>
    </>
  );
}

/** As in the forms, whose chunk would bring 7 kB along. */
function ContactLink() {
  const { email } = useContact();
  return <a href={`mailto:${email}`}>{email}</a>;
}

/** For a visitor who can't register. */
function WhomToAsk() {
  const { registration, isExample } = useContact();
  const isClosed = registration === 'closed';
  return (
    <p>
      {isClosed ? 'Accounts are made by whoever runs this site.' : 'This site is by invitation.'}{' '}
      {!isExample ? (
        <>
          {isClosed ? 'You can' : 'To get one,'} write to <ContactLink />.
        </>
      ) : (
        !isClosed && 'Ask whoever runs it.'
      )}
    </p>
  );
}

/** For a visitor who followed the link in an email. */
function CapsuleWaits() {
  const isOpen = useRegistration() === 'open';
  const { isExample } = useContact();
  return (
    <>
      <h1>A capsule is waiting for you.</h1>
      <p className={`quiet large ${styles.lead}`}>Sign in to open it.</p>
      <div className={`cluster gap-12 ${styles.actions}`}>
        <ButtonLink variant="primary" to="/auth">
          Sign in
        </ButtonLink>
        {isOpen && <ButtonLink to="/auth?register=true">Create an account</ButtonLink>}
      </div>
      {!isOpen && !isExample && (
        <p className="quiet">
          No account? Write to <ContactLink />.
        </p>
      )}
    </>
  );
}

/** What comes after registering. */
function NewAccount() {
  const { email, mustVerify } = useExternalStore(newAccount);
  if (email === '') return null;
  return (
    <section
      className={`stack gap-12 to-start sheet ${styles.account}`}
      aria-labelledby="new-account"
    >
      <h2 id="new-account" data-news>
        Your account is ready
      </h2>
      {mustVerify && (
        <p>
          We sent a link to <span className="breaks">{email}</span>. Open it before you sign in.{' '}
          <Link to="/auth?register=true">Not your address?</Link>
        </p>
      )}
      <ButtonLink variant="primary" to="/auth">
        Sign in
      </ButtonLink>
    </section>
  );
}

/** Seven years into a wait of ten. @param isAwaited then a day would pass for that of the capsule */
function HeroSeal({ isAwaited }: { isAwaited: boolean }) {
  const today = useToday();
  return (
    <figure className={`stack gap-24 centred ${styles.seal}`}>
      <Seal
        id="a letter to my daughter"
        years={10}
        progress={68}
        locked
        {...(!isAwaited && { day: addYears(today, 3) })}
        size="fill"
      />
      <figcaption className="quiet small">One ring for every year of waiting</figcaption>
    </figure>
  );
}
