import { createSessions } from '../../auth/sessions.ts';
import { systemClock } from '../../clock/clock.ts';
import { updateUser } from '../../db/accounts/users.ts';
import { createIds } from '../../ids.ts';
import { StartError } from '../../start-error.ts';
import { type Commands, onPerson } from './command.ts';

/** Who may come in. */
export const entryCommands: Commands = {
  suspend: {
    takes: '<person> --reason <text>',
    does: "Keeps somebody out until you resume them. What they have sealed isn't announced meanwhile.",
    run: (asked) =>
      onPerson(
        asked,
        async (tx, { id, email, suspendedAt }, db) => {
          if (suspendedAt) throw new StartError(`${email} is suspended already.`);
          await updateUser(tx, id, { suspendedAt: systemClock.now() });
          const sessions = createSessions({ db, clock: systemClock, ids: createIds(systemClock) });
          await sessions.endAll(id, tx);
          return { address: email, now: 'suspended, and signed out everywhere' };
        },
        () =>
          "They are signed out everywhere and can't sign in. What they have sealed still opens on its day, but nobody is told until you resume them.",
      ),
  },
  resume: {
    takes: '<person> --reason <text>',
    does: 'Lets somebody in again whom you have suspended.',
    run: (asked) =>
      onPerson(
        asked,
        async (tx, { id, email, suspendedAt }) => {
          if (!suspendedAt) throw new StartError(`${email} is not suspended.`);
          await updateUser(tx, id, { suspendedAt: null });
          return { address: email, now: 'not suspended any more' };
        },
        () => 'They can sign in again. What of theirs has opened meanwhile is announced now.',
      ),
  },
};
