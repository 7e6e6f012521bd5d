import { TURN_OFF_PATH } from '../../../shared/api/email-choices.ts';
import { addressCheckMail } from './address-check.ts';
import { capsuleOpenedMail } from './capsule-opened.ts';
import { capsuleWaitingMail } from './capsule-waiting.ts';
import { confirmAddressMail } from './confirm-address.ts';
import { contributionAddedMail } from './contribution-added.ts';
import { invitationAgainMail, invitationMail } from './invitation.ts';
import type { RenderedEmail } from './layout.ts';
import { passwordResetMail } from './password-reset.ts';
import { reportAnsweredMail, reportMail, reportsTogetherMail } from './reports.ts';
import * as security from './security.ts';
import { severalCapsulesMail } from './several-capsules.ts';
import { verifyEmailMail, verifyInvitedMail } from './verify-email.ts';

const AT = new Date('2044-02-22T09:30:00Z');
const ZONE = 'Europe/Berlin';
const ON = '22 February 2044 at 10:30 (Berlin time)';
const WHOM = 'family@capsules.example';
const ASKED = 'You asked us to make ada@example.com the second address of your account.';
const CHANGED = [
  'The main address was changed in your account',
  'The main address was changed in your account (ada@example.com)',
] as const;
const LATER = '29 February 2044 at 10:30 (Berlin time)';

/**
 * Every email that people cause, to be looked at and tested. @param written stands where people write:
 * names and titles @param url where the button leads
 */
export function sampleMails(written: string, url: string): [name: string, mail: RenderedEmail][] {
  const capsule = { url, dateToUnlock: '2044-02-29', title: written, creatorName: written };
  const person = { name: written, zone: ZONE, url };
  const turnOffUrl = new URL(TURN_OFF_PATH, url).href;
  const refuseUrl = new URL('/auth/refuse-invitation', url).href;
  const calendarUrl = new URL('/api/capsules/1/calendar.ics', url).href;
  const changeUrl = new URL('/profile/addresses', url).href;
  const waiting = { ...capsule, calendarUrl, turnOffUrl };
  const opened = { ...capsule, readerName: written, turnOffUrl, recipientNames: [written] };
  const listed = { title: written, from: written, dateToUnlock: '2044-02-29' };
  const several = { capsules: [listed, listed], url, turnOffUrl };
  const whomToAsk = `To get an account, write to ${WHOM}. Whatever was sealed for you waits.`;
  const confirming = { ...person, asked: ASKED, isMain: false, waitsUntil: null };
  const asked = { name: written, email: 'ada@example.com', capsules: 1, url, changeUrl };
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
  const warnings = Object.entries({
    'password-changed': security.passwordChanged(ON, false),
    'password-changed-taken-off': security.passwordChanged(ON, true),
    'password-guessed': security.passwordGuessed(ON),
    'new-device': security.newDevice(ON, 'Firefox on Windows'),
    'new-device-ended': security.newDevice(ON, null),
    'passkey-added': security.passkeyAdded(ON, 'Safari on iPhone'),
    'identity-linked': security.identityLinked(ON, 'Family account'),
    'passkey-choice': security.passkeyChoice(ON, true),
    'passkey-choice-off': security.passkeyChoice(ON, false),
    'address-changed': security.addressChanged(...CHANGED, ON, true, WHOM, false),
    'address-changed-late': security.addressChanged(...CHANGED, ON, false, WHOM, false),
    'address-to-change': security.addressToChange(...CHANGED, LATER),
    'change-undone': security.changeUndone(ON, true, WHOM),
    'password-waiting': security.passwordWaiting(ON, LATER),
    'password-waiting-here': security.passwordWaitingHere(ON, LATER),
    'capsule-deleted': security.capsuleDeleted(written, ON),
    'deletion-announced': security.deletionAnnounced(LATER, {
      isDelivered: true,
      canSignIn: true,
      whom: WHOM,
    }),
    'deletion-announced-suspended': security.deletionAnnounced(LATER, {
      isDelivered: false,
      canSignIn: false,
      whom: 'whoever runs this site',
    }),
  }).map(([name, words]): [string, RenderedEmail] => {
    return [name, security.securityMail(written, words, { url, until: LATER })];
  });
  const others = Object.entries({
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
    'password-reset': passwordResetMail({
      name: written,
      url,
      isAfterUndo: false,
      isAskedFor: true,
    }),
    'password-reset-after-undo': passwordResetMail({
      name: written,
      url,
      isAfterUndo: true,
      isAskedFor: false,
    }),
    'account-deleted': security.securityMail(null, security.accountDeleted(ON, false, WHOM), {
      url,
    }),
    'account-deleted-ordered': security.securityMail(
      null,
      security.accountDeleted(ON, true, WHOM),
      {
        url,
      },
    ),
    'address-check': addressCheckMail({ ...asked, turnOffUrl }),
    'address-check-second': addressCheckMail({ ...asked, capsules: 3, isElsewhere: true }),
    'contribution-added': contributionAddedMail({
      name: written,
      from: written,
      title: written,
      url,
    }),
    'capsule-reminder': severalCapsulesMail({
      ...several,
      state: 'unread',
      capsules: several.capsules.slice(0, 1),
    }),
    'confirm-address': confirmAddressMail(confirming),
    'confirm-address-as-it-is': confirmAddressMail({ ...confirming, isMain: true }),
    'confirm-address-operator': confirmAddressMail({ ...confirming, waitsUntil: AT }),
    'invitation-again': invitationAgainMail({ url, refuseUrl }, 'password'),
    'invitation-again-closed': invitationAgainMail({ url, refuseUrl, whomToAsk }, 'password'),
    'invitation-by-operator': invitationAgainMail({ url, refuseUrl }, 'operator'),
    invitation: invitationMail({
      name: written,
      inviterName: written,
      dateToUnlock: '2044-02-29',
      url,
      refuseUrl,
    }),
    'capsule-waiting': capsuleWaitingMail({ ...waiting, ownCapsule: false }),
    'capsule-waiting-own': capsuleWaitingMail({ ...waiting, ownCapsule: true }),
    'capsule-opened': capsuleOpenedMail({ ...opened, reader: 'recipient' }),
    'capsule-opened-creator': capsuleOpenedMail({
      ...opened,
      recipientNames: [written, written],
      withoutAccount: [written],
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
    'capsule-opened-closed': capsuleOpenedMail({
      ...capsule,
      readerName: written,
      recipientNames: [],
      reader: 'recipient',
      refuseUrl,
      whomToAsk,
    }),
    'several-opened-closed': severalCapsulesMail({
      ...several,
      state: 'opened',
      refuseUrl,
      whomToAsk,
    }),
    'several-waiting': severalCapsulesMail({ ...several, state: 'waiting' }),
    'several-unread': severalCapsulesMail({ ...several, state: 'unread' }),
    'several-opened': severalCapsulesMail({ ...several, state: 'opened' }),
  });
  return [...warnings, ...others];
}
