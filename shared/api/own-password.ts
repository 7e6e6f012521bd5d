import { z } from 'zod/mini';
import { passwordField } from './fields.ts';

/** Bytes as base64url. */
export const bytesField = (max: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(max));

/** Credential ids have at most 1,023 bytes. */
export const credentialIdField = bytesField(1_364);

/** What a browser answers with when somebody uses a passkey (`PublicKeyCredential.toJSON`). */
export const assertionSchema = z.object({
  id: credentialIdField,
  rawId: credentialIdField,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytesField(4_000),
    authenticatorData: bytesField(2_000),
    signature: bytesField(6_000),
    userHandle: z.nullish(bytesField(100)),
  }),
});
export type Assertion = z.infer<typeof assertionSchema>;

/** Says that the identity provider has just confirmed who it is (`POST /auth/oidc`). */
export const confirmedSchema = z.object({ type: z.literal('confirmed') });

/**
 * The person's own password, asked for before sensitive changes. A passkey may answer in its place,
 * with a challenge of `POST /auth/passkey/options`, and, where there is no password, the identity
 * provider.
 */
export const ownPasswordField = z.union([passwordField, assertionSchema, confirmedSchema], {
  error: 'Password is required',
});
export type OwnPassword = z.infer<typeof ownPasswordField>;

/** Of a call that asks for nothing else. */
export const ownPasswordSchema = z.object({ password: ownPasswordField });
