import { z } from 'zod/mini';
import { INVITATIONS_A_DAY } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { dayField, messageSchema, nameField, newEmailField, tokenField } from './fields.ts';

export const invite = endpoint({
  method: 'POST',
  path: '/user/invitations',
  summary: `Invites an address without an account, so that capsules can be addressed to it; at most ${INVITATIONS_A_DAY} a day. The answer is the same for every address that shows no link, and a repeat sends no second email.`,
  access: 'signed-in',
  body: z.object({
    email: newEmailField(),
    /** How the email greets them. */
    name: z.optional(nameField),
  }),
  status: 202,
  response: z.extend(messageSchema, {
    /**
     * Where addresses are not confirmed: the link that makes the account, to be handed over. Null
     * where they are, and for who isn't the first to invite: others' letters may wait behind it.
     */
    link: z.nullable(z.string()),
  }),
  errors: ['REGISTRATION_CLOSED'],
});

export const invitationSchema = z.object({
  /** The address the account will have. */
  email: z.string(),
  /** What the inviter calls the invited person. */
  name: z.nullable(z.string()),
  /** Of the email of the day: who sealed the capsule, and when. */
  capsule: z.optional(
    z.object({
      id: z.string(),
      createdBy: z.string(),
      createdAt: z.string(),
      unlockAt: z.string(),
      dateToUnlock: dayField,
    }),
  ),
  /** Null for the link of an email about a capsule. */
  inviterName: z.nullable(z.string()),
  /** When what the inviter has sealed for them opens, the newest one. Not there while there is none. */
  dateToUnlock: z.optional(dayField),
  /** An operator has made the link. */
  isByOperator: z.optional(z.boolean()),
  /** Registration is closed, so the link can be refused only. */
  isClosed: z.optional(z.boolean()),
});
export type Invitation = z.infer<typeof invitationSchema>;

export const openInvitation = endpoint({
  method: 'POST',
  path: '/auth/invitation',
  summary: 'Whom an invitation link is for, without using it.',
  access: 'anyone',
  body: z.object({
    token: tokenField,
    /** The capsule that the email with the link tells about. */
    capsule: z.optional(z.string()),
  }),
  status: 200,
  response: invitationSchema,
  errors: ['INVALID_INVITATION', 'INVITATION_USED'],
});

export const refuseInvitation = endpoint({
  method: 'POST',
  path: '/auth/refuse-invitation',
  summary: 'Refuses an invitation with its link: the address is removed from every capsule.',
  access: 'anyone',
  body: z.object({ token: tokenField }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_INVITATION'],
});
