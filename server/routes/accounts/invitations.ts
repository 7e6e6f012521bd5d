import * as endpoints from '../../../shared/api/invitations.ts';
import { INVITATIONS_A_DAY } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { ClientLimits } from '../../client-limits.ts';
import type { Deps } from '../../deps.ts';
import { getInvitation, invite, refuseInvitation } from '../../domain/accounts/invitations.ts';
import { invitationUrl } from '../../domain/email-content/links.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function invitationRoutes(app: App, deps: Deps): void {
  route(app, endpoints.invite, async ({ c, actor, body }) => {
    await countInvitation(c.get('limits'), { by: actor.userId, email: body.email });
    const token = await invite(deps, actor, body);
    const isAskedByEmail = !deps.config.emailVerification && token === null;
    return {
      message: isAskedByEmail
        ? 'Only they get the link, by email, because somebody invited them before or they have an account.'
        : "We'll invite them, unless they have an account or don't want to be invited.",
      link: token && invitationUrl(deps, token),
    };
  });

  route(app, endpoints.openInvitation, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    return getInvitation(deps, body.token, body.capsule);
  });

  route(app, endpoints.refuseInvitation, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    await refuseInvitation(deps, body.token);
    return { message: "You've refused the invitation. We've removed your address." };
  });
}

/**
 * Counts every address once, whatever comes of it: a count of those that were really invited would
 * tell which are not.
 */
export async function countInvitation(
  limits: ClientLimits,
  { by, email }: { by: string; email: string },
): Promise<void> {
  if (await limits.wasTaken('inviteAgain', `${by} ${email}`)) return;
  const { waitMs } = await limits.tryTake('invite', by);
  if (waitMs > 0) {
    const message = `You've invited ${INVITATIONS_A_DAY} people within a day, which is the most we allow. You can invite more tomorrow.`;
    throw new AppError('RATE_LIMITED', { message, retryAfter: Math.ceil(waitMs / 1000) });
  }
  await limits.tryTake('inviteAgain', `${by} ${email}`);
}
