import { setTimeout as pause } from 'node:timers/promises';
import { makeDue } from './notices.mjs';
import { twice } from './provider.mjs';

/** Between two kills a server sends a few batches, so that each step of one is hit. */
const MOMENT_MAX_MS = 1_500;
const GIVE_UP_MS = 120_000;

/**
 * Kills a server `kills` times with SIGKILL while both send batches of notices. What a dead server
 * had leased is due again at once, as it would be ten minutes later. @returns lines of the table
 */
export async function mailKills({ servers, postgres }, provider, kills) {
  // More than are sent before the last kill.
  const notices = kills * 400;
  await postgres.addCrowd({ people: notices / 2, capsules: notices / 2 });
  await postgres.settle();
  await makeDue(postgres.sql);
  const endLeases = () => postgres.sql`update mails set next_attempt_at = now()
    where state = 'queued' and next_attempt_at > now()`;
  let inTheMiddle = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const server = servers[kill % servers.length];
    await pause(Math.random() * MOMENT_MAX_MS);
    await server.kill();
    const [leased] = await postgres.sql`select count(*)::int as count from mails
      where state = 'queued' and batch_id is not null and attempts > 0`;
    if (leased.count > 0) inTheMiddle += 1;
    // Only the other server may still hold a batch, and that one is its own until it is done.
    await pause(300);
    await endLeases();
    await server.start();
    if ((kill + 1) % 10 === 0) console.error(`  ${kill + 1} of ${kills} kills`);
  }
  const giveUpAt = Date.now() + GIVE_UP_MS + notices * 10;
  while (provider.told.size < notices && Date.now() < giveUpAt) {
    await pause(5_000);
    await endLeases();
  }
  const [rest] = await postgres.sql`select count(*)::int as count from mails where state <> 'sent'`;
  return [
    ['Kills', String(kills), ''],
    ['… while a batch was on its way', String(inTheMiddle), 'more than 0'],
    ['Notices due', String(notices), ''],
    ['Sent', String(provider.told.size), String(notices)],
    ['Sent twice', String(twice(provider)), '0'],
    ['Calls that repeated a batch the provider had taken', String(provider.repeated), ''],
    ['Emails that are not noted as sent', String(rest.count), '0'],
  ];
}
