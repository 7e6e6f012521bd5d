import { z } from 'zod/mini';
import { PUSH_ENDPOINT_MAX } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { withoutNul } from './fields.ts';

const endpointField = z.string().check(z.maxLength(PUSH_ENDPOINT_MAX), z.overwrite(withoutNul));

/** As `PushSubscription.toJSON()` of a browser makes it. */
const subscriptionSchema = z.object({
  /** Where the browser's push service takes messages for it. Whoever knows it could send some. */
  endpoint: endpointField,
  keys: z.object({
    /** The browser's public key: an uncompressed point on P-256. */
    p256dh: z.string().check(z.regex(/^[\w-]{87}$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}$/)),
  }),
});
export type PushSubscriptionBody = z.infer<typeof subscriptionSchema>;

const path = '/api/push/subscription';
const response = z.object({ active: z.boolean() });

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  summary: 'The public key with which a browser subscribes to messages of this server.',
  access: 'signed-in',
  status: 200,
  response: z.object({ publicKey: z.string() }),
});

export const saveSubscription = endpoint({
  method: 'PUT',
  path,
  summary: 'From now on, this browser is told on the day when a capsule opens.',
  access: 'signed-in',
  body: subscriptionSchema,
  status: 200,
  response,
});

export const removeSubscription = endpoint({
  method: 'DELETE',
  path,
  summary: 'This browser is told no more.',
  access: 'signed-in',
  body: z.object({ endpoint: endpointField }),
  status: 200,
  response,
});
