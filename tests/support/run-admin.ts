import { raiseLastSeen } from '../../server/db/server-state.ts';
import { admin } from '../../server/operator/admin.ts';
import type { TestServer } from './server.ts';

/** Runs a command of `npm run admin` beside a server. @param ask answers what it asks, in place of a person */
export async function runAdmin(
  { url, deps: { config, db, clock } }: Pick<TestServer, 'url' | 'deps'>,
  args: string[],
  ask?: (question: string) => Promise<string | null>,
) {
  // As the server does every minute.
  await raiseLastSeen(db, clock.now());
  const EMAIL_VERIFICATION = config.emailVerification ? 'on' : 'off';
  const environment = { DATA_DIR: '/nowhere', APP_URL: url, EMAIL_VERIFICATION };
  return admin(environment, args, (_config, work) => work({ db }), ask);
}
