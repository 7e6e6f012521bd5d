import { z } from 'zod/mini';
import { UNDO_DAYS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { instantField, messageSchema } from './fields.ts';
import { ownPasswordSchema } from './own-password.ts';

/** Where the browser goes on to: the sign-in page of the identity provider. */
const onwardSchema = z.object({ url: z.string() });

/**
 * A page of this site to come back to. Nothing of it can be read as another host.
 */
const pageField = z.string().check(z.regex(/^\/[\w-]+(\/[\w-]+)*$/), z.maxLength(100));

export const startSignIn = endpoint({
  method: 'GET',
  path: '/auth/oidc',
  summary:
    "Redirects to the sign-in page of the site's identity provider. It sends the browser back to /auth/oidc/callback, once, within ten minutes. Without an identity provider, or if it does not answer, redirects to the sign-in page of this site.",
  access: 'anyone',
  status: 302,
});

export const finishSignIn = endpoint({
  method: 'GET',
  path: '/auth/oidc/callback',
  summary:
    "Where the identity provider sends the browser back to: signs in, or links the provider's account, and redirects to a page of this site, which says what came of it.",
  access: 'anyone',
  status: 302,
});

export const askProvider = endpoint({
  method: 'POST',
  path: '/auth/oidc',
  summary:
    'The same for an app: to accept an invitation, or, while you are signed in and have no password, to show in place of it that it is you. That counts once, within five minutes.',
  access: 'anyone',
  body: z.object({
    /** The token of an invitation link: makes the account of the invited address. */
    invitation: z.optional(z.string().check(z.maxLength(200))),
    /** Where somebody who is signed in comes back to. */
    page: z.optional(pageField),
  }),
  status: 200,
  response: onwardSchema,
  errors: ['PROVIDER_AWAY', 'NOT_FOUND'],
});

const identitySchema = z.object({
  /** Since when the provider's account signs you in here; null if none does. */
  linkedAt: z.nullable(instantField),
  /** Whether there is a password that signs you in. */
  hasPassword: z.boolean(),
  /** Until when the provider's word counts in place of the password, once; null if it does not. */
  confirmedUntil: z.nullable(instantField),
});
export type Identity = z.infer<typeof identitySchema>;

export const getIdentity = endpoint({
  method: 'GET',
  path: '/user/identity',
  summary: "Whether an account at the site's identity provider signs you in.",
  access: 'signed-in',
  status: 200,
  response: identitySchema,
});

export const linkIdentity = endpoint({
  method: 'POST',
  path: '/user/identity',
  summary: `Begins to link an account at the identity provider, with the password or a passkey. Every address of yours is told, and can undo it for ${UNDO_DAYS} days.`,
  access: 'signed-in',
  body: ownPasswordSchema,
  status: 200,
  response: onwardSchema,
  errors: ['PROVIDER_AWAY', 'NOT_FOUND'],
});

export const unlinkIdentity = endpoint({
  method: 'DELETE',
  path: '/user/identity',
  summary:
    "Unlinks the identity provider's account, with the password or a passkey. What else signs you in has to be there.",
  access: 'signed-in',
  body: ownPasswordSchema,
  status: 200,
  response: messageSchema,
  errors: ['NOT_FOUND'],
});
