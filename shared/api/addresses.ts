import { z } from 'zod/mini';
import { ADDRESS_LINK_HOURS, PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { instantField, messageSchema, newEmailField, tokenField } from './fields.ts';
import { ownPasswordField, ownPasswordSchema } from './own-password.ts';

/** The main address names an account. The second one is for when the main one fails. */
const slotSchema = z.enum(['main', 'second']);
export type AddressSlot = z.infer<typeof slotSchema>;

const addressesSchema = z.object({
  email: z.string(),
  /** Whether they have shown that they read the main address. Until then no other one protects it. Missing: not known. */
  isConfirmed: z.optional(z.boolean()),
  /** Since when emails to the main address come back; null while they arrive. */
  bouncedAt: z.nullable(instantField),
  secondEmail: z.nullable(z.string()),
  /** Addresses that are not theirs yet. */
  pending: z.array(
    z.object({
      which: slotSchema,
      email: z.string(),
      askedAt: instantField,
      /** Of an operator's change: when it takes effect, once the address is confirmed. Missing: with its confirmation. */
      takesEffectAt: z.optional(instantField),
    }),
  ),
  /** From when a new password counts that was set from one address only; null for none. */
  passwordWaitsUntil: z.nullable(instantField),
});
export type Addresses = z.infer<typeof addressesSchema>;

const doneSchema = z.extend(messageSchema, { addresses: addressesSchema });

export const getAddresses = endpoint({
  method: 'GET',
  path: '/user/addresses',
  summary: 'Your addresses, and what is waiting for a confirmation.',
  access: 'signed-in',
  status: 200,
  response: addressesSchema,
});

export const changeEmailSchema = z.object({ email: newEmailField(), password: ownPasswordField });

export const changeEmail = endpoint({
  method: 'POST',
  path: '/user/email',
  summary: `Begins a change of the main address: a link to the new one confirms, within ${ADDRESS_LINK_HOURS} hours. The old one is told and can undo for ${UNDO_DAYS} days. With the address as it is, which nobody had to confirm, its owner confirms it.`,
  access: 'signed-in',
  body: changeEmailSchema,
  status: 202,
  response: doneSchema,
  errors: ['EMAIL_TAKEN'],
});

export const setSecondEmail = endpoint({
  method: 'PUT',
  path: '/user/second-email',
  summary: `Begins a change of the second address like one of the main address; null removes it at once. A change is told to every address of before, which can undo it for ${UNDO_DAYS} days.`,
  access: 'signed-in',
  body: z.object({ email: z.nullable(newEmailField()), password: ownPasswordField }),
  status: 202,
  response: doneSchema,
  errors: ['EMAIL_TAKEN'],
});

export const withdrawAddress = endpoint({
  method: 'DELETE',
  path: '/user/addresses/:which/pending',
  summary: 'Withdraws a change that has not taken effect. Its link is worth nothing then.',
  access: 'signed-in',
  params: z.object({ which: slotSchema }),
  status: 200,
  response: addressesSchema,
});

export const keepEmail = endpoint({
  method: 'POST',
  path: '/user/addresses/main/keep',
  summary: 'Says that the main address works, although emails to it came back.',
  access: 'signed-in',
  status: 200,
  response: addressesSchema,
});

export const stopPassword = endpoint({
  method: 'POST',
  path: '/user/addresses/stop-password',
  summary:
    'Stops a new password that has not taken effect yet, with the password that works. For somebody who is signed in; signing in stops it as well.',
  access: 'signed-in',
  body: ownPasswordSchema,
  status: 200,
  response: addressesSchema,
});

const linkBody = z.object({ token: tokenField });

export const lookAtLink = endpoint({
  method: 'POST',
  path: '/auth/address-link',
  summary: 'Says what the link in an email about an address is for, as the email does.',
  access: 'anyone',
  body: z.extend(linkBody, { purpose: z.enum(['confirm', 'undo']) }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_ADDRESS_LINK'],
});

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/confirm-email',
  summary: 'Confirms a new address with the link that was emailed to it, once.',
  access: 'anyone',
  body: linkBody,
  status: 200,
  response: z.extend(messageSchema, {
    which: slotSchema,
    email: z.string(),
    /** False where the main address stayed as it was and was only confirmed. Missing: not known. */
    canUndo: z.optional(z.boolean()),
    /** Of an operator's change: when it takes effect unless somebody stops it. Missing: it has. */
    takesEffectAt: z.optional(instantField),
  }),
  errors: ['INVALID_ADDRESS_LINK', 'EMAIL_TAKEN'],
});

export const undoEmail = endpoint({
  method: 'POST',
  path: '/auth/undo-email',
  summary:
    'Brings back the addresses of before a change, ends every session and the password, and emails a link for a new one to the address of before.',
  access: 'anyone',
  body: linkBody,
  status: 200,
  response: messageSchema,
  errors: ['INVALID_ADDRESS_LINK', 'EMAIL_TAKEN'],
});

export const answerNewPassword = endpoint({
  method: 'POST',
  path: '/auth/new-password',
  summary: `Answers for another address of the account whether a new password is its owner's. Without an answer it takes effect after ${PASSWORD_WAITS_DAYS} days.`,
  access: 'anyone',
  body: z.extend(linkBody, { isMine: z.boolean() }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_ADDRESS_LINK'],
});

export const stillYours = endpoint({
  method: 'POST',
  path: '/auth/still-yours',
  summary: 'Answers the yearly question whether an address is still yours, by the link in it.',
  access: 'anyone',
  body: linkBody,
  status: 200,
  response: z.extend(messageSchema, { email: z.string() }),
  errors: ['INVALID_ADDRESS_LINK'],
});
