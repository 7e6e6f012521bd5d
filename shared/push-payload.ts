import { z } from 'zod/mini';

/**
 * A message to a browser, as a declarative push message of the W3C's Push API: Safari shows it without
 * our worker. In other browsers the worker shows it. Push services hand over what an earlier server
 * has sent weeks ago, so new members are optional.
 */
export const pushPayloadSchema = z.object({
  web_push: z.literal(8030),
  notification: z.object({
    title: z.string(),
    body: z.string(),
    lang: z.string(),
    dir: z.literal('ltr'),
    /** Of several notifications with one tag, the last one is shown. */
    tag: z.string(),
    /** The address that a press on it opens. */
    navigate: z.string(),
    icon: z.optional(z.string()),
  }),
});
export type PushPayload = z.infer<typeof pushPayloadSchema>;

export const PUSH_TITLE = 'A capsule has opened';
export const PUSH_BODY = 'The day has come. Look inside.';
