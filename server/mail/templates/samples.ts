import { TURN_OFF_PATH } from '../../../shared/api/email-choices.ts';
import { accountDeletedMail } from './account-deleted.ts';
import { addressCheckMail } from './address-check.ts';
import {
  addressChangedMail,
  addressToChangeMail,
  changeUndoneMail,
  confirmAddressMail,
  passwordWaitingHereMail,
  passwordWaitingMail,
} from './addresses.ts';
import { capsuleDeletedMail } from './capsule-deleted.ts';
import { capsuleOpenedMail } from './capsule-opened.ts';
import { capsuleReminderMail } from './capsule-reminder.ts';
import { capsuleWaitingMail } from './capsule-waiting.ts';
import { contributionAddedMail } from './contribution-added.ts';
import { deletionAnnouncedMail } from './deletion-announced.ts';
import { identityLinkedMail } from './identity-linked.ts';
import { invitationAgainMail, invitationMail } from './invitation.ts';
import type { RenderedEmail } from './layout.ts';
import { newDeviceMail } from './new-device.ts';
import { passkeyAddedMail } from './passkey-added.ts';
import { passkeyChoiceMail } from './passkey-choice.ts';
import { passwordChangedMail } from './password-changed.ts';
import { passwordGuessedMail } from './password-guessed.ts';
import { passwordResetMail } from './password-reset.ts';
import { reportAnsweredMail, reportMail, reportsTogetherMail } from './reports.ts';
import { severalCapsulesMail } from './several-capsules.ts';
import { verifyEmailMail, verifyInvitedMail } from './verify-email.ts';

/** A week lies between the two, as between a change and the end of the time to undo it. */
const AT = new Date('2044-02-22T09:30:00Z');
const ZONE = 'Europe/Berlin';
const UNTIL = new Date('2044-02-29T09:30:00Z');

/**
 * Every email that people cause, to be looked at and tested. @param written stands where people write:
 * names and titles @param url where the button leads
 */
export function sampleMails(written: string, url: string): [name: string, mail: RenderedEmail][] {
  const capsule = { url, dateToUnlock: '2044-02-29', title: written, creatorName: written };
  const person = { name: written, zone: ZONE, url };
  const turnOffUrl = new URL(TURN_OFF_PATH, url).href;
  const listUrl = new URL('/profile/sign-in', url).href;
  const refuseUrl = new URL('/auth/refuse-invitation', url).href;
  const calendarUrl = new URL('/api/capsules/1/calendar.ics', url).href;
  const changeUrl = new URL('/profile/addresses', url).href;
  const passwordUrl = 'https://capsule.example/auth/forgot-password';
  const waiting = { ...capsule, calendarUrl, turnOffUrl };
  const opened = { ...capsule, readerName: written, turnOffUrl, recipientNames: [written] };
  const listed = { title: written, from: written, dateToUnlock: '2044-02-29' };
  const several = { capsules: [listed, listed], url, turnOffUrl };
  const contact = 'family@capsules.example';
  const toDelete = { ...person, dueAt: UNTIL, isDelivered: true, canSignIn: true, contact };
  const changed = { ...person, slot: 'second' as const, changedAt: AT, until: UNTIL };
  const confirming = { ...person, slot: 'main' as const, waitsUntil: null };
  const asked = { name: written, email: 'ada@example.com', capsules: 1, url, changeUrl };
  const added = { ...person, device: 'Safari on iPhone', addedAt: AT, until: UNTIL, passwordUrl };
  const linked = { ...person, provider: 'Family account', linkedAt: AT, until: UNTIL, listUrl };
  const signedIn = { ...person, device: 'Firefox on Windows', signedInAt: AT, listUrl };
  const pending = { ...person, setAt: AT, takesEffectAt: UNTIL };
  const reported = {
    id: '01b8dfec-23eb-717d-bdc8-d69cb5f065eb',
    reason: 'Threats' as const,
    text: written,
    reportedAt: AT,
    reporter: { id: '1', name: written, email: 'ada@example.org' },
    person: { id: '2', name: written, email: 'grace@example.org' },
    capsule: null,
    url,
  };
  const reportedCapsule = {
    id: '3',
    title: written,
    description: written,
    dateToUnlock: '2044-02-29',
    addedBy: written,
    inside: { message: written, files: [written] },
  };
  return Object.entries({
    report: reportMail(reported),
    'report-of-capsule': reportMail({ ...reported, capsule: reportedCapsule }),
    'reports-together': reportsTogetherMail({
      reports: [
        { ...reported, createdAt: AT },
        { ...reported, createdAt: AT },
      ],
      url,
    }),
    'report-answered': reportAnsweredMail({ ...person, reportedAt: AT, contact: null }),
    'verify-email': verifyEmailMail({ name: written, url }),
    'verify-email-for-password': verifyEmailMail({ name: written, url, isForPassword: true }),
    'verify-invited': verifyInvitedMail({ url, refuseUrl }),
    'password-reset': passwordResetMail({ name: written, url, isAfterUndo: false }),
    'password-reset-after-undo': passwordResetMail({ name: written, url, isAfterUndo: true }),
    'password-changed': passwordChangedMail({ ...person, changedAt: AT, isTakenOff: false }),
    'password-changed-taken-off': passwordChangedMail({
      ...person,
      changedAt: AT,
      isTakenOff: true,
    }),
    'password-guessed': passwordGuessedMail({ ...person, guessedAt: AT }),
    'new-device': newDeviceMail(signedIn),
    'new-device-ended': newDeviceMail({ ...signedIn, device: null, zone: null }),
    'passkey-added': passkeyAddedMail(added),
    'identity-linked': identityLinkedMail(linked),
    'passkey-choice': passkeyChoiceMail({ ...person, isOn: true, changedAt: AT }),
    'passkey-choice-off': passkeyChoiceMail({ ...person, isOn: false, changedAt: AT }),
    'account-deleted': accountDeletedMail({ deletedAt: AT, isOrdered: false, url }),
    'account-deleted-ordered': accountDeletedMail({ deletedAt: AT, isOrdered: true, url }),
    'deletion-announced': deletionAnnouncedMail(toDelete),
    'deletion-announced-suspended': deletionAnnouncedMail({
      ...toDelete,
      isDelivered: false,
      canSignIn: false,
      contact: null,
    }),
    'capsule-deleted': capsuleDeletedMail({
      ...person,
      title: written,
      deletedAt: AT,
      until: AT,
      passwordUrl,
    }),
    'address-check': addressCheckMail({ ...asked, turnOffUrl }),
    'address-check-second': addressCheckMail({ ...asked, capsules: 3, isElsewhere: true }),
    'contribution-added': contributionAddedMail({
      name: written,
      from: written,
      title: written,
      url,
    }),
    'capsule-reminder': capsuleReminderMail({ ...opened, ownCapsule: false }),
    'capsule-reminder-own': capsuleReminderMail({ ...opened, ownCapsule: true }),
    'confirm-address': confirmAddressMail(confirming),
    'confirm-address-operator': confirmAddressMail({ ...confirming, waitsUntil: AT }),
    'address-changed': addressChangedMail({ ...changed, happened: 'changed' }),
    'address-added': addressChangedMail({ ...changed, happened: 'added' }),
    'address-removed': addressChangedMail({ ...changed, happened: 'removed' }),
    'address-changed-late': addressChangedMail({ ...changed, happened: 'changed', until: null }),
    'address-to-change': addressToChangeMail({ ...person, zone: null, until: UNTIL }),
    'change-undone': changeUndoneMail({ ...person, undoneAt: AT, isAsked: true }),
    'password-waiting': passwordWaitingMail(pending),
    'password-waiting-here': passwordWaitingHereMail(pending),
    'invitation-again': invitationAgainMail({ url, refuseUrl }),
    invitation: invitationMail({ name: written, inviterName: written, url, refuseUrl }),
    'capsule-waiting': capsuleWaitingMail({ ...waiting, ownCapsule: false }),
    'capsule-waiting-own': capsuleWaitingMail({ ...waiting, ownCapsule: true }),
    'capsule-opened': capsuleOpenedMail({ ...opened, reader: 'recipient' }),
    'capsule-opened-creator': capsuleOpenedMail({
      ...opened,
      recipientNames: [written, written],
      reader: 'creator',
    }),
    'capsule-opened-own': capsuleOpenedMail({ ...opened, reader: 'self' }),
    'capsule-opened-invited': capsuleOpenedMail({
      ...capsule,
      readerName: written,
      recipientNames: [],
      reader: 'recipient',
      refuseUrl,
    }),
    'several-waiting': severalCapsulesMail({ ...several, state: 'waiting' }),
    'several-unread': severalCapsulesMail({ ...several, state: 'unread' }),
    'several-opened': severalCapsulesMail({ ...several, state: 'opened' }),
    'several-opened-one': severalCapsulesMail({ ...several, capsules: [listed], state: 'opened' }),
  });
}
