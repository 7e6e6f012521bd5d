import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteAccountSchema } from '../../../shared/api/delete-account.ts';
import { messageFrom } from '../../api/errors.ts';
import { RadioGroup } from '../../components/radio-group.tsx';
import { toasts } from '../../components/toast.tsx';
import { endAccount } from '../../hooks/sign-out.ts';
import { checkForm } from '../check-form.ts';
import { FormDialog } from '../form-dialog.tsx';
import { OwnPasswordField } from '../own-password.tsx';
import { useForm } from '../use-form.ts';
import styles from './settings.module.css';

/** Says what is deleted, asks what happens to capsules for others, and asks for the password. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm(useState({ capsules: '', password: '' }), {
    check: (typed) => checkForm(deleteAccountSchema, typed),
    send: async (choice) => {
      await endAccount(choice);
      toasts.success('Your account has been deleted.');
      navigate('/');
    },
    explain: (error) => messageFrom(error, 'Failed to delete your account'),
  });

  return (
    <FormDialog
      title="Delete your account?"
      submit="Delete account"
      busyLabel="Deleting..."
      variant="danger"
      form={form}
      onClose={onClose}
    >
      <div className={styles.doomed}>
        <p>You can't undo this. This deletes right away:</p>
        <ul>
          <li>your name, email address, bio and picture, and all your sessions;</li>
          <li>capsules you sealed for yourself alone, with their files;</li>
          <li>your place among the recipients of capsules that others sealed;</li>
          <li>your drafts, and unsent capsules on this device.</li>
        </ul>
      </div>
      <RadioGroup
        legend="Any capsules you sealed for others"
        options={FATES}
        {...form.field('capsules')}
      />
      <OwnPasswordField form={form} />
    </FormDialog>
  );
}

/** What happens to capsules for others. Neither is preselected, because both are permanent. */
const FATES = [
  {
    value: 'deliver',
    label: 'Deliver them on their day',
    hint: 'They stay sealed until then, under your name but without your address. Nobody can take them back.',
  },
  {
    value: 'destroy',
    label: 'Destroy them',
    hint: 'They disappear for everyone, with their files, even those that have already opened.',
  },
];
