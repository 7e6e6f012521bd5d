import * as endpoints from '../../../shared/api/addresses.ts';
import { UNDO_DAYS } from '../../../shared/limits.ts';
import type { Deps } from '../../deps.ts';
import type { Confirmed } from '../../domain/accounts/address-changes.ts';
import { answerStillYours } from '../../domain/accounts/address-check.ts';
import { confirmAddress, lookAtLink, undoChange } from '../../domain/accounts/address-links.ts';
import {
  changeAddress,
  getAddresses,
  keepEmail,
  withdrawAddress,
} from '../../domain/accounts/addresses.ts';
import { answerNewPassword } from '../../domain/accounts/new-password.ts';
import { checkOwnPassword } from '../../domain/accounts/own-password.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

const LINK_SENT =
  "We've sent a link to the new address. The change takes effect once you've confirmed it there.";

export function addressRoutes(app: App, deps: Deps): void {
  route(app, endpoints.getAddresses, async ({ actor }) => getAddresses(deps, actor));

  route(app, endpoints.changeEmail, async ({ actor, body }) => {
    await changeAddress(deps, actor, { slot: 'main', ...body });
    return { message: LINK_SENT, addresses: await getAddresses(deps, actor) };
  });

  route(app, endpoints.setSecondEmail, async ({ actor, body }) => {
    await changeAddress(deps, actor, { slot: 'second', ...body });
    const message = body.email === null ? "You don't have a second address any more." : LINK_SENT;
    return { message, addresses: await getAddresses(deps, actor) };
  });

  route(app, endpoints.withdrawAddress, async ({ actor, params }) => {
    await withdrawAddress(deps, actor, params.which);
    return getAddresses(deps, actor);
  });

  route(app, endpoints.keepEmail, async ({ actor }) => {
    await keepEmail(deps, actor);
    return getAddresses(deps, actor);
  });

  route(app, endpoints.stopPassword, async ({ actor, body }) => {
    // The right password deletes a pending one, wherever it is asked for.
    await checkOwnPassword(deps, actor, body.password);
    return getAddresses(deps, actor);
  });

  route(app, endpoints.lookAtLink, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    return { message: await lookAtLink(deps, body) };
  });

  route(app, endpoints.confirmEmail, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const pressedBy = (await c.get('findActor')())?.userId ?? null;
    const confirmed = await confirmAddress(deps, { ...body, pressedBy });
    const { slot, email, canUndo, takesEffectAt } = confirmed;
    return {
      message: wordsOf(confirmed),
      which: slot,
      email,
      canUndo,
      ...(takesEffectAt && { takesEffectAt: takesEffectAt.toISOString() }),
    };
  });

  route(app, endpoints.undoEmail, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const main = await undoChange(deps, body.token);
    if (main === null) return { message: 'The address stays as it is.' };
    const ended = deps.config.passwordSignIn
      ? `, and your password and recovery codes don't work any more. We've emailed a link for a new password to ${main}.`
      : '.';
    const message = `You have your earlier addresses back. Every device is signed out and counts as new${ended}`;
    return { message };
  });

  route(app, endpoints.stillYours, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const email = await answerStillYours(deps, body.token);
    return { message: `Thank you. We'll keep writing to ${email}.`, email };
  });

  route(app, endpoints.answerNewPassword, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    await answerNewPassword(deps, body);
    const message = body.isMine
      ? 'Your new password works now.'
      : 'The new password is stopped. Your old one still works.';
    return { message };
  });
}

function wordsOf({ slot, email, canUndo, isSwap, takesEffectAt }: Confirmed): string {
  if (takesEffectAt) {
    return `${email} is confirmed. It becomes your main address within ${UNDO_DAYS} days, unless someone stops that at one of your earlier addresses.`;
  }
  if (!canUndo) {
    return `${email} is still your main address, and now we know our emails reach you there.`;
  }
  return slot === 'main'
    ? `${email} is your main address now${isSwap ? ', and the old one your second' : ''}. Sign in with it from now on. For ${UNDO_DAYS} days the email to your old address can undo this.`
    : `${email} is your second address now. We use it when your main one fails.`;
}
