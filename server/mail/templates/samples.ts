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
import { deletionAnnouncedMail } from './deletion-announced.ts';
import { identityLinkedMail } from './identity-linked.ts';
import { invitationAgainMail, invitationMail } from './invitation.ts';
import { keepsakeMail } from './keepsake.ts';
import type { RenderedEmail } from './layout.ts';
import { newDeviceMail } from './new-device.ts';
import { passkeyAddedMail } from './passkey-added.ts';
import { passkeyChoiceMail } from './passkey-choice.ts';
import { passwordChangedMail } from './password-changed.ts';
import { passwordGuessedMail } from './password-guessed.ts';
import { passwordResetMail } from './password-reset.ts';
import { reportAnsweredMail, reportMail } from './reports.ts';
import { severalCapsulesMail } from './several-capsules.ts';
import { stillSealedMail } from './still-sealed.ts';
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
  const turnOffUrl = new URL(TURN_OFF_PATH, url).href;
  const listUrl = new URL('/profile/sign-in', url).href;
  const refuseUrl = new URL('/auth/refuse-invitation', url).href;
  const calendarUrl = new URL('/api/capsules/1/calendar.ics', url).href;
  const waiting = { ...capsule, calendarUrl, turnOffUrl };
  const opened = { ...capsule, turnOffUrl, recipientNames: [written] };
  const listed = { title: written, from: written, dateToUnlock: '2044-02-29' };
  const several = { capsules: [listed, listed], url };
  const toDelete = {
    name: written,
    dueAt: UNTIL,
    zone: ZONE,
    isDelivered: true,
    contact: 'family@capsules.example',
    url,
  };
  const changed = {
    name: written,
    url,
    zone: ZONE,
    slot: 'second' as const,
    changedAt: AT,
    until: UNTIL,
  };
  const reported = {
    id: '01b8dfec-23eb-717d-bdc8-d69cb5f065eb',
    reason: 'Threats' as const,
    text: written,
    reportedAt: AT,
    reporter: { id: '1', name: written, email: 'ada@example.org' },
    person: { id: '2', name: written, email: 'grace@example.org' },
    url,
  };
  return [
    ['report', reportMail({ ...reported, capsule: null })],
    [
      'report-of-capsule',
      reportMail({
        ...reported,
        capsule: {
          id: '3',
          title: written,
          description: written,
          dateToUnlock: '2044-02-29',
          addedBy: written,
          inside: { message: written, files: [written] },
        },
      }),
    ],
    [
      'report-answered',
      reportAnsweredMail({ name: written, reportedAt: AT, zone: ZONE, contact: null, url }),
    ],
    ['verify-email', verifyEmailMail({ name: written, url })],
    ['verify-email-for-password', verifyEmailMail({ name: written, url, isForPassword: true })],
    ['verify-invited', verifyInvitedMail({ url, refuseUrl })],
    ['password-reset', passwordResetMail({ name: written, url, isAfterUndo: false })],
    ['password-reset-after-undo', passwordResetMail({ name: written, url, isAfterUndo: true })],
    [
      'password-changed',
      passwordChangedMail({ name: written, changedAt: AT, zone: ZONE, url, isTakenOff: false }),
    ],
    [
      'password-changed-taken-off',
      passwordChangedMail({ name: written, changedAt: AT, zone: ZONE, url, isTakenOff: true }),
    ],
    ['password-guessed', passwordGuessedMail({ name: written, guessedAt: AT, zone: ZONE, url })],
    [
      'new-device',
      newDeviceMail({
        name: written,
        device: 'Firefox on Windows',
        signedInAt: AT,
        zone: ZONE,
        url,
        listUrl,
      }),
    ],
    [
      'new-device-ended',
      newDeviceMail({ name: written, device: null, signedInAt: AT, zone: null, url, listUrl }),
    ],
    [
      'passkey-added',
      passkeyAddedMail({
        name: written,
        device: 'Safari on iPhone',
        addedAt: AT,
        until: UNTIL,
        zone: ZONE,
        url,
        passwordUrl: 'https://capsule.example/auth/forgot-password',
      }),
    ],
    [
      'identity-linked',
      identityLinkedMail({
        name: written,
        provider: 'Family account',
        linkedAt: AT,
        until: UNTIL,
        zone: ZONE,
        url,
        listUrl,
      }),
    ],
    [
      'passkey-choice',
      passkeyChoiceMail({ name: written, isOn: true, changedAt: AT, zone: ZONE, url }),
    ],
    [
      'passkey-choice-off',
      passkeyChoiceMail({
        name: written,
        isOn: false,
        changedAt: AT,
        zone: ZONE,
        url,
      }),
    ],
    ['account-deleted', accountDeletedMail({ deletedAt: AT, url })],
    ['deletion-announced', deletionAnnouncedMail({ ...toDelete, canSignIn: true })],
    [
      'deletion-announced-suspended',
      deletionAnnouncedMail({ ...toDelete, canSignIn: false, isDelivered: false, contact: null }),
    ],
    [
      'capsule-deleted',
      capsuleDeletedMail({
        name: written,
        title: written,
        deletedAt: AT,
        until: AT,
        zone: ZONE,
        url,
        passwordUrl: 'https://capsule.example/auth/forgot-password',
      }),
    ],
    ['keepsake', keepsakeMail({ name: written, url })],
    ['still-sealed', stillSealedMail({ name: written, capsules: 1, nextDay: '2044-02-29', url })],
    [
      'still-sealed-many',
      stillSealedMail({ name: written, capsules: 12, nextDay: '2044-02-29', url, turnOffUrl }),
    ],
    [
      'address-check',
      addressCheckMail({
        name: written,
        email: 'ada@example.com',
        url,
        changeUrl: new URL('/profile/addresses', url).href,
        turnOffUrl,
      }),
    ],
    [
      'address-check-second',
      addressCheckMail({
        name: written,
        email: 'ada@example.com',
        isElsewhere: true,
        url,
        changeUrl: new URL('/profile/addresses', url).href,
      }),
    ],
    ['capsule-reminder', capsuleReminderMail({ ...opened, ownCapsule: false })],
    ['capsule-reminder-own', capsuleReminderMail({ ...opened, ownCapsule: true })],
    [
      'confirm-address',
      confirmAddressMail({ name: written, url, zone: ZONE, slot: 'main', waitsUntil: null }),
    ],
    [
      'confirm-address-operator',
      confirmAddressMail({ name: written, url, zone: ZONE, slot: 'main', waitsUntil: AT }),
    ],
    ['address-changed', addressChangedMail({ ...changed, happened: 'changed' })],
    ['address-added', addressChangedMail({ ...changed, happened: 'added' })],
    ['address-removed', addressChangedMail({ ...changed, happened: 'removed' })],
    ['address-changed-late', addressChangedMail({ ...changed, happened: 'changed', until: null })],
    ['address-to-change', addressToChangeMail({ name: written, zone: null, url, until: UNTIL })],
    [
      'change-undone',
      changeUndoneMail({ name: written, zone: ZONE, url, undoneAt: AT, isAsked: true }),
    ],
    [
      'password-waiting',
      passwordWaitingMail({ name: written, zone: ZONE, url, setAt: AT, takesEffectAt: UNTIL }),
    ],
    [
      'password-waiting-here',
      passwordWaitingHereMail({ name: written, zone: ZONE, url, setAt: AT, takesEffectAt: UNTIL }),
    ],
    ['invitation-again', invitationAgainMail({ url, refuseUrl })],
    ['invitation', invitationMail({ name: written, inviterName: written, url, refuseUrl })],
    ['capsule-waiting', capsuleWaitingMail({ ...waiting, ownCapsule: false })],
    ['capsule-waiting-own', capsuleWaitingMail({ ...waiting, ownCapsule: true })],
    ['capsule-opened', capsuleOpenedMail({ ...opened, reader: 'recipient' })],
    [
      'capsule-opened-creator',
      capsuleOpenedMail({ ...opened, reader: 'creator', recipientNames: [written, written] }),
    ],
    ['capsule-opened-own', capsuleOpenedMail({ ...opened, reader: 'self' })],
    [
      'capsule-opened-invited',
      capsuleOpenedMail({ ...capsule, recipientNames: [], reader: 'recipient', refuseUrl }),
    ],
    ['several-waiting', severalCapsulesMail({ ...several, state: 'waiting', turnOffUrl })],
    ['several-unread', severalCapsulesMail({ ...several, state: 'unread', turnOffUrl })],
    ['several-opened', severalCapsulesMail({ ...several, state: 'opened', turnOffUrl })],
    [
      'several-opened-one',
      severalCapsulesMail({ url, capsules: [listed], state: 'opened', turnOffUrl }),
    ],
  ];
}
