import { confirmEmail, stillYours, undoEmail } from '../../../shared/api/addresses.ts';
import { verifyEmail } from '../../../shared/api/auth.ts';
import { ADDRESS_LINK_HOURS, UNDO_DAYS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { siteName } from '../../components/site-name.ts';
import { checkSession } from '../../hooks/check-session.ts';
import {
  type EmailLink,
  type Known,
  otherwise,
  press,
  TO_ADDRESSES,
  TO_LOGIN,
  ToPage,
} from './email-link.tsx';

/** Links about an address, by the last part of theirs. */
export const ADDRESS_LINKS = {
  'verify-email': () => ({
    title: 'Confirm your email',
    text: `Somebody registered at ${siteName()} with this address. If it wasn't you, just close this page.`,
    answers: [
      press('Confirm this address', 'Confirming…', async (token) => {
        await call(verifyEmail, { body: { token } });
        return {
          title: 'Email confirmed',
          text: 'Thank you. Your address is confirmed and you can sign in now.',
          next: (
            <ButtonLink to="/auth" variant="primary">
              Go to Login
            </ButtonLink>
          ),
        };
      }),
    ],
    invalid: {
      title: 'Invalid Verification Link',
      text: "The link may have expired or been used already. Sign in with your email and password. If your address isn't confirmed yet, we'll offer to send you a new link.",
      next: <ButtonLink to="/auth">Back to Login</ButtonLink>,
    },
  }),

  'confirm-email': () => ({
    title: 'Confirm your address',
    purpose: 'confirm',
    text: "If you didn't ask for this, just close this page.",
    answers: [
      press('Confirm this address', 'Confirming…', async (token) => {
        const { message } = await call(confirmEmail, { body: { token } });
        return { title: 'Address confirmed', text: message, next: TO_ADDRESSES };
      }),
    ],
    invalid: {
      text: `It may have been used, replaced or withdrawn, or be older than ${ADDRESS_LINK_HOURS} hours. Your profile shows your addresses and can send a new link.`,
      next: TO_ADDRESSES,
    },
  }),

  'undo-email': ({ passwordsOff }) => ({
    title: 'Undo this change?',
    purpose: 'undo',
    text: `Undoing it brings your earlier addresses back. If the change has taken effect, every device will be signed out${passwordsOff ? '' : ", your password and recovery codes will stop working, and we'll email you a link to choose a new one"}. If you made the change yourself, change it back in your account instead.`,
    answers: [
      press('Undo the change', 'Undoing…', async (token) => {
        const { message } = await call(undoEmail, { body: { token } });
        await checkSession();
        return { title: 'Change undone', text: message, next: TO_LOGIN };
      }),
    ],
    otherwise: otherwise('Keep it as it is'),
    invalid: {
      text: `It may have been used, an earlier change may have been undone, or it was more than ${UNDO_DAYS} days ago. Your profile shows your addresses. If you can't get in any more, please write to us. Our address is at the bottom of this page.`,
      next: TO_ADDRESSES,
    },
  }),

  'still-yours': () => ({
    title: 'Is this still your address?',
    text: 'We ask once a year, so that what was sealed for you finds you on its day.',
    answers: [
      press('Yes, this is my address', 'Saving…', async (token) => {
        const { email } = await call(stillYours, { body: { token } });
        const text = `We'll keep writing to ${email}.`;
        return { title: 'Thank you', text, next: TO_ADDRESSES };
      }),
    ],
    otherwise: <ToPage to="/profile/addresses">Change it</ToPage>,
    invalid: {
      text: 'It may be from an older email. Your profile shows your addresses.',
      next: TO_ADDRESSES,
    },
  }),
} satisfies Record<string, (known: Known) => EmailLink>;
