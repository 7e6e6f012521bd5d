import { UNDO_DAYS } from '../../../shared/limits.ts';
import { createSessions } from '../../auth/sessions.ts';
import { isThisMachine } from '../../config-address.ts';
import { deleteWaiting } from '../../db/accounts/account-changes.ts';
import { announceChange } from '../../domain/accounts/addresses.ts';
import { verifyMain } from '../../domain/accounts/new-password.ts';
import { inviteAsOperator } from '../../domain/accounts/operator-invitation.ts';
import { invitationUrl } from '../../domain/email-content/links.ts';
import { StartError } from '../../start-error.ts';
import {
  type Asked,
  addressOf,
  type Commands,
  type Found,
  leaveTrace,
  onPerson,
  operatorDeps,
} from './command.ts';

/** In the trace of an invitation, which takes nothing from anybody. */
const NO_REASON = '–';

const ONLY_EMAILED =
  'We email them their link. Others have invited this address or registered with it, so nobody else may see it.';
const ONLY_HERE =
  'It leads to this computer. If people reach your server elsewhere, run this again with its APP_URL or PORT.';

/** What is done for people who need help with their account. */
export const accountCommands: Commands = {
  confirm: {
    takes: '<address> --reason <text>',
    does: "Confirms the address of somebody who doesn't get the email.",
    run: (asked) =>
      onPerson(asked, async (tx, person, deps) => {
        const { email } = person;
        if (!(await verifyMain(tx, deps, person))) {
          throw new StartError(
            `${email} is invited, and somebody else may have registered it. Only an emailed link confirms it.`,
          );
        }
        return { address: email, now: 'confirmed' };
      }),
  },
  'sign-out': {
    takes: '<address> --reason <text>',
    does: 'Signs somebody out on all their devices.',
    run: (asked) =>
      onPerson(asked, async (tx, { id, email }, deps) => {
        await createSessions(deps).endAll(id, tx);
        return { address: email, now: 'signed out everywhere' };
      }),
  },
  'change-address': {
    takes: '--from <address> --to <address> --reason <text>',
    does: `Starts changing the main address of somebody who can't read theirs any more. For ${UNDO_DAYS} days it can be stopped.`,
    run: (asked) => {
      const to = addressOf(asked.options.to ?? '');
      return onPerson({ ...asked, what: asked.options.from ?? '' }, async (tx, person, deps) => {
        const takesEffectAt = await announceChange(tx, deps, person, to);
        const now = 'announced to all addresses so far, which can stop it';
        const effect = `${takesEffectAt.toISOString()}, if the new one is confirmed`;
        return { address: person.email, to, now, 'takes effect': effect };
      });
    },
  },
  'withdraw-change': {
    takes: '<address> --reason <text>',
    does: "Withdraws a change of the main address that hasn't taken effect.",
    run: (asked) =>
      onPerson(asked, async (tx, { id, email }) => {
        await deleteWaiting(tx, id, ['main']);
        return { address: email, now: 'withdrawn' };
      }),
  },
  invite: {
    takes: '<address> [--reason <text>]',
    does: 'Invites somebody, who can make an account even where registration is closed, and shows the link to hand over.',
    run: invite,
  },
};

function invite({ command, config, withDatabase, what, agree, options }: Asked): Promise<Found> {
  const email = addressOf(what);
  const reason = options.reason?.trim() || NO_REASON;
  return withDatabase(async (db) => {
    await agree(`${email} would be invited, and could make an account.`);
    return db.transaction(async (tx) => {
      const { userId, token } = await inviteAsOperator(tx, operatorDeps, email);
      await leaveTrace(tx, { command, userId, reason });
      if (!token) return { rows: [{ address: email, link: null }], blocks: [ONLY_EMAILED] };
      const link = invitationUrl({ config }, token);
      // INVITATION_LINK_DAYS, in words.
      const block = [`Give ${email} this link, which works for a year:`, link];
      if (isThisMachine(new URL(link).hostname)) block.push(ONLY_HERE);
      return { rows: [{ address: email, link }], blocks: [block.join('\n')] };
    });
  });
}
