import { z } from 'zod/mini';

/**
 * A message to a browser, in the form that Safari shows without our worker (Declarative Web Push).
 * In other browsers the worker shows it.
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
  }),
  /** How many capsules wait to be opened, for the number on the icon. */
  app_badge: z.number(),
});
export type PushPayload = z.infer<typeof pushPayloadSchema>;

export const PUSH_TITLE = 'A capsule has opened';
export const PUSH_BODY = 'The day has come. Look inside.';
