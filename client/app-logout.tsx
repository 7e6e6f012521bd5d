import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from './ui/button.tsx';
import { useConfirm } from './ui/confirm.tsx';
import { LogOut } from './ui/icon.tsx';
import { useToasts } from './ui/toast.tsx';

export function LogoutButton() {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);

  const leave = async (offline: boolean): Promise<void> => {
    try {
      // Visitors carry the button's code, but not what it does.
      const { leaveDevice } = await import('./app-leave.ts');
      if (await leaveDevice(offline, () => setBusy(true))) navigate('/');
    } catch (error) {
      reportError(error);
      setBusy(false);
      // A device may take itself for online where nothing gets through.
      const isUnreachable = !offline && Object(error).code === 'NETWORK_ERROR';
      toasts.failure(
        'Unable to logout due to technical issues. Please try again.',
        isUnreachable ? { label: 'Log out without it', run: () => leave(true) } : undefined,
      );
    }
  };

  return (
    <Button
      icon={<LogOut size={18} aria-hidden="true" />}
      busy={busy}
      busyLabel="Logging out..."
      onClick={async () => {
        if (await confirm('Are you sure you want to logout?')) await leave(!navigator.onLine);
      }}
    >
      Logout
    </Button>
  );
}
