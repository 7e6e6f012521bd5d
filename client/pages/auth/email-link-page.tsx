/* Where links in emails lead: small pages that few people open, in one file of code. */
export {
  ConfirmEmailPage,
  StillYoursPage,
  UndoEmailPage,
  VerifyEmailPage,
} from './address-links.tsx';
export { TurnOffPage } from './turn-off.tsx';
export {
  NewPasswordPage,
  RestoreCapsulePage,
  UndoIdentityPage,
  UndoPasskeyPage,
} from './warning-links.tsx';
