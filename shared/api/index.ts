import * as addresses from './addresses.ts';
import * as auth from './auth.ts';
import * as bin from './bin.ts';
import * as blocks from './blocks.ts';
import * as capsules from './capsules.ts';
import * as community from './community.ts';
import * as contributions from './contributions.ts';
import { deleteAccount } from './delete-account.ts';
import * as drafts from './drafts.ts';
import * as emailChoices from './email-choices.ts';
import type { Endpoint } from './endpoint.ts';
import * as identities from './identities.ts';
import * as invitations from './invitations.ts';
import { logout } from './logout.ts';
import { createCapsule } from './new-capsule.ts';
import * as notices from './notices.ts';
import * as opened from './opened.ts';
import * as passkeyChoice from './passkey-choice.ts';
import * as passkeys from './passkeys.ts';
import * as push from './push.ts';
import * as recoveryCodes from './recovery-codes.ts';
import * as reports from './reports.ts';
import * as sessions from './sessions.ts';
import * as site from './site.ts';
import { undoIdentity } from './undo-identity.ts';
import { undoPasskey } from './undo-passkey.ts';
import * as uploads from './uploads.ts';
import * as user from './user.ts';

/** Every call of the API, in the order of the API page. */
export const ENDPOINTS = {
  register: auth.register,
  login: auth.login,
  logout,
  forgotPassword: auth.forgotPassword,
  validateToken: auth.validateToken,
  resetPassword: auth.resetPassword,
  verifyEmail: auth.verifyEmail,
  resendVerification: auth.resendVerification,
  lookAtLink: addresses.lookAtLink,
  confirmEmail: addresses.confirmEmail,
  undoEmail: addresses.undoEmail,
  answerNewPassword: addresses.answerNewPassword,
  passkeyOptions: passkeys.passkeyOptions,
  signInByPasskey: passkeys.signInByPasskey,
  undoPasskey,
  startSignIn: identities.startSignIn,
  finishSignIn: identities.finishSignIn,
  askProvider: identities.askProvider,
  undoIdentity,
  enterRecoveryCode: recoveryCodes.enterRecoveryCode,
  openInvitation: invitations.openInvitation,
  refuseInvitation: invitations.refuseInvitation,
  getMe: user.getMe,
  searchRecipient: user.searchRecipient,
  invite: invitations.invite,
  updateProfile: user.updateProfile,
  updateProfilePhoto: user.updateProfilePhoto,
  getAddresses: addresses.getAddresses,
  changeEmail: addresses.changeEmail,
  setSecondEmail: addresses.setSecondEmail,
  withdrawAddress: addresses.withdrawAddress,
  keepEmail: addresses.keepEmail,
  stopPassword: addresses.stopPassword,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  endOtherSessions: sessions.endOtherSessions,
  listBlocked: blocks.listBlocked,
  block: blocks.block,
  unblock: blocks.unblock,
  listPasskeys: passkeys.listPasskeys,
  newPasskeyOptions: passkeys.newPasskeyOptions,
  addPasskey: passkeys.addPasskey,
  removePasskey: passkeys.removePasskey,
  getPasskeyChoice: passkeyChoice.getPasskeyChoice,
  choosePasskey: passkeyChoice.choosePasskey,
  getIdentity: identities.getIdentity,
  linkIdentity: identities.linkIdentity,
  unlinkIdentity: identities.unlinkIdentity,
  getRecoveryCodes: recoveryCodes.getRecoveryCodes,
  makeRecoveryCodes: recoveryCodes.makeRecoveryCodes,
  report: reports.report,
  deleteAccount,
  exportAccount: user.exportAccount,
  searchProfile: community.searchProfile,
  getPublicProfile: community.getPublicProfile,
  listCreated: capsules.listCreated,
  listReceived: capsules.listReceived,
  getDashboardSummary: capsules.getDashboardSummary,
  listOpened: opened.listOpened,
  markSeen: opened.markSeen,
  tellRead: opened.tellRead,
  downloadFile: capsules.downloadFile,
  downloadFiles: capsules.downloadFiles,
  getRendition: capsules.getRendition,
  getCapsule: capsules.getCapsule,
  getCalendarEvent: capsules.getCalendarEvent,
  createCapsule,
  deleteCapsule: capsules.deleteCapsule,
  listBin: bin.listBin,
  restoreCapsule: bin.restoreCapsule,
  restoreByLink: bin.restoreByLink,
  setHidden: capsules.setHidden,
  listNotices: notices.listNotices,
  sendNoticeAgain: notices.sendNoticeAgain,
  getNoticeChoices: emailChoices.getNoticeChoices,
  setNoticeChoices: emailChoices.setNoticeChoices,
  turnNoticeOff: emailChoices.turnNoticeOff,
  turnNoticeOffHere: emailChoices.turnNoticeOffHere,
  stillYours: addresses.stillYours,
  listDrafts: drafts.listDrafts,
  saveAccountDraft: drafts.saveAccountDraft,
  discardAccountDraft: drafts.discardAccountDraft,
  downloadDraftFile: drafts.downloadDraftFile,
  setDraftChoice: drafts.setDraftChoice,
  makeContributionLink: contributions.makeContributionLink,
  endContributionLink: contributions.endContributionLink,
  listAdded: contributions.listAdded,
  removeAdded: contributions.removeAdded,
  putBackAdded: contributions.putBackAdded,
  openContributionLink: contributions.openContributionLink,
  saveContribution: contributions.saveContribution,
  getContribution: contributions.getContribution,
  takeBackContribution: contributions.takeBackContribution,
  startContributionUpload: contributions.startContributionUpload,
  getContributionUpload: contributions.getContributionUpload,
  sendContributionPart: contributions.sendContributionPart,
  abandonContributionUpload: contributions.abandonContributionUpload,
  getPushKey: push.getPushKey,
  saveSubscription: push.saveSubscription,
  removeSubscription: push.removeSubscription,
  startUpload: uploads.startUpload,
  getUpload: uploads.getUpload,
  sendPart: uploads.sendPart,
  abandonUpload: uploads.abandonUpload,
  getSiteLimits: site.getSiteLimits,
  getContact: site.getContact,
} satisfies Record<string, Endpoint>;
