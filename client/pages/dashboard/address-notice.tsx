import type { ReactNode } from 'react';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CircleAlert } from '../../components/icon.tsx';
import { createExternalStore, useExternalStore } from '../../hooks/store.ts';
import { longDate } from '../format.ts';

/** What was put aside until the app is opened again. */
const putAside = createExternalStore<{ titles: readonly string[] }>({ titles: [] });

interface AddressNoticeProps {
  user: CurrentUser | null;
  /** Shown while there is nothing to say. */
  otherwise?: ReactNode;
}

/** Says that emails come back, or that a new password waits, and leads to where it is settled. */
export function AddressNotice({ user, otherwise }: AddressNoticeProps) {
  const { titles } = useExternalStore(putAside);
  const notice = user && noticesFor(user).find(({ title }) => !titles.includes(title));
  if (!notice) return otherwise;
  const { title, text } = notice;
  return (
    <aside className="strip cluster middle" aria-labelledby="address-notice">
      <CircleAlert size={20} />
      <p>
        <strong id="address-notice">{title}</strong>
        <span>{text}</span>
      </p>
      <div className="cluster gap-8">
        <ButtonLink to="/profile/addresses">See your addresses</ButtonLink>
        <Button variant="quiet" onClick={() => putAside.set({ titles: [...titles, title] })}>
          Not now
        </Button>
      </div>
    </aside>
  );
}

/** Whether there is anything to say. */
export function hasNotice(user: CurrentUser | null): boolean {
  return user !== null && noticesFor(user).length > 0;
}

/** The more urgent one first. */
function noticesFor({ email, emailBounces, passwordWaitsUntil }: CurrentUser) {
  const notices: { title: string; text: string }[] = [];
  if (passwordWaitsUntil) {
    notices.push({
      title: `A new password for your account takes effect on ${longDate(passwordWaitsUntil)}`,
      text: "It was chosen with a link to one of your addresses. If it wasn't you, stop it.",
    });
  }
  if (emailBounces) {
    notices.push({
      title: `Emails to ${email} come back`,
      text: "Is it still your address? Otherwise you won't hear when a capsule opens.",
    });
  }
  return notices;
}
