import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { signOut } from './state/sign-out.ts';
import { Button } from './ui/button.tsx';
import { useConfirm } from './ui/confirm.tsx';
import { LogOut } from './ui/icon.tsx';
import { useToasts } from './ui/toast.tsx';

export function LogoutButton() {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);

  const logOut = async () => {
    if (!(await confirm('Are you sure you want to logout?'))) return;
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
