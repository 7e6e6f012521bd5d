import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { signOut, unsentWork } from './state/sign-out.ts';
import { Button } from './ui/button.tsx';
import { useConfirm } from './ui/confirm.tsx';
import { LogOut } from './ui/icon.tsx';
import { useToasts } from './ui/toast.tsx';

/** What would be deleted, in words; null when there is nothing. */
function unsentText({ drafts, queued }: { drafts: number; queued: number }): string | null {
  const sentences = [];
  if (queued === 1) sentences.push('1 capsule has not been sent yet.');
  if (queued > 1) sentences.push(`${queued} capsules have not been sent yet.`);
  if (drafts === 1) sentences.push('1 draft is unfinished.');
  if (drafts > 1) sentences.push(`${drafts} drafts are unfinished.`);
  if (sentences.length === 0) return null;
  return `${sentences.join(' ')} Signing out deletes all of this from this device.`;
}

export function LogoutButton() {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);

  const logOut = async () => {
    if (!(await confirm('Are you sure you want to logout?'))) return;
    // Only the server can end a session: without it the device would look signed out and not be.
    if (!navigator.onLine) {
      toasts.failure('You are offline. Logging out needs a connection. Nothing was removed.');
      return;
    }
    const unsent = unsentText(await unsentWork());
    const choices = { danger: true, yes: 'Sign out and delete them', no: 'Stay signed in' };
    if (unsent !== null && !(await confirm(unsent, choices))) return;
    setBusy(true);
    try {
      await signOut();
      navigate('/');
    } catch (error) {
      reportError(error);
      setBusy(false);
      toasts.failure('Unable to logout due to technical issues. Please try again.');
    }
  };

  return (
    <Button
      icon={<LogOut size={18} aria-hidden="true" />}
      busy={busy}
      busyLabel="Logging out..."
      onClick={logOut}
    >
      Logout
    </Button>
  );
}
