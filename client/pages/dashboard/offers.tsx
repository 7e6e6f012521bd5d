import type { CurrentUser } from '../../../shared/api/user.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CircleAlert, Download, Inbox } from '../../components/icon.tsx';
import { siteName } from '../../components/site-name.ts';
import { Strip } from '../../components/strip.tsx';
import { toasts } from '../../components/toast.tsx';
import { deviceStorage } from '../../db/web-storage.ts';
import { usePush } from '../../hooks/push.ts';
import { createExternalStore, useExternalStore } from '../../hooks/store.ts';
import { useInstallWay } from '../../hooks/use-install.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { changePush, PUSH_BLOCKED } from '../change-push.ts';
import { longDate } from '../format.ts';
import { InstallButton } from '../install.tsx';

/** Notices that were put aside, until the app is opened again. */
const putAside = createExternalStore<{ titles: readonly string[] }>({ titles: [] });

/** What was declined is not offered on this device again. Older versions noted when it was. */
const DECLINED = /^declined$|"dismissedAt":[1-9]/;

interface OffersProps {
  user: CurrentUser | null;
  /** Whether there is any capsule to come back for. */
  hasCapsules: boolean;
}

/** One at a time: that emails come back or a new password waits, the home screen, push. */
export function Offers({ user, hasCapsules }: OffersProps) {
  const { titles } = useExternalStore(putAside);
  const userId = useUserId();
  const push = usePush();
  const way = useInstallWay();
  const isOpen = (name: string) =>
    !titles.includes(name) && !DECLINED.test(deviceStorage.read(name) ?? '');
  const dismiss = (name: string) => putAside.set({ titles: [...titles, name] });
  const decline = (name: string) => {
    deviceStorage.write(name, 'declined');
    dismiss(name);
  };
  const notice = user && noticesFor(user).find(({ title }) => isOpen(title));
  if (notice) {
    return (
      <Strip icon={CircleAlert} {...notice} onDismiss={() => dismiss(notice.title)}>
        <ButtonLink to="/profile/addresses">See your addresses</ButtonLink>
      </Strip>
    );
  }
  if (!hasCapsules) return null;
  if (way !== null && isOpen('install-offer')) {
    const done = () => decline('install-offer');
    return (
      <Strip
        icon={Download}
        title={`Add ${siteName()} to your home screen`}
        text="Opens like any other app, even without a connection."
        onDismiss={done}
      >
        <InstallButton way={way} onDone={done} />
      </Strip>
    );
  }
  if (push !== 'off' || userId === null || !isOpen('push-offer')) return null;
  const tell = async () => {
    await changePush(userId, true);
    if (Notification.permission === 'denied') toasts.failure(PUSH_BLOCKED);
  };
  return (
    <Strip
      icon={Inbox}
      title="Know when a capsule opens"
      text={`We can tell you on this device, even when ${siteName()} is closed.`}
      onDismiss={() => decline('push-offer')}
    >
      <Button onClick={() => void tell()}>Tell me</Button>
    </Strip>
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
