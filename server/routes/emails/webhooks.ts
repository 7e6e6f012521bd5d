import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { receiveDelivery } from '../../domain/emails/delivery.ts';
import type { App } from '../../http/context.ts';
import { readBody } from '../../http/request-body.ts';

/** Several times what Resend writes about one email. */
const EVENT = { maxBytes: 65_536, waitMaxMs: 10_000 };

/** What Resend tells about emails it has taken, where its secret is set. */
export function webhookRoutes(
  app: App,
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailer' | 'mailQueued'>,
): void {
  const { readEvent } = deps.mailer;
  if (!readEvent) return;
  app.post('/webhooks/resend', async (c) => {
    const limits = c.get('limits');
    const body = await readBody(c, EVENT);
    let event: ReturnType<typeof readEvent>;
    try {
      event = readEvent(body.toString('utf8'), (name) => c.req.header(name));
    } catch (cause) {
      // Only requests that are not from Resend are counted: on a day of many emails it makes many.
      await limits.take('visitorBody', c.get('client'));
      const message = 'The signature is wrong or too old. Is RESEND_WEBHOOK_SECRET right?';
      throw new AppError('UNAUTHENTICATED', { message, cause });
    }
    if (event) await receiveDelivery(deps, event);
    return c.json({ ok: true });
  });
}
