import type { Batch } from '../db/emails/mail-claims.ts';
import {
  markDeferred,
  markDropped,
  markPostponed,
  markSent,
  setAttempts,
  setBatch,
} from '../db/emails/mail-outcomes.ts';
import type { MailRow } from '../db/emails/mails.ts';
import type { Deps } from '../deps.ts';
import { prepareNews } from '../domain/email-content/notice-content.ts';
import { addressed } from '../domain/emails/mail-address.ts';
import { type Mail, type Mailer, MailRefusedError, type ProviderId } from '../mail/mailer.ts';
import {
  countNotice,
  inFuture,
  named,
  noteAttempt,
  type Outcome,
  readyMails,
  settleFailure,
} from './settle-mail.ts';

type BatchDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'log'> & {
  mailer: Required<Pick<Mailer, 'sendAll'>> & Pick<Mailer, 'keyKnownMs'>;
};

/** A notice and its text. */
interface Rendered {
  row: MailRow;
  mail: Mail;
}

/**
 * Sends notices by one call of the provider, which takes all of them or none and knows the call by
 * the id of the batch. After a lost answer or a crash the same notices go again under the same
 * key. A notice that is left out of a call leaves the batch, because the key then says nothing
 * about it.
 */
export async function sendBatch(deps: BatchDeps, batch: Batch): Promise<Outcome> {
  const rendered = await renderAll(deps, batch);
  const rows = rendered.map(({ row }) => row);
  if (rows.length === 0) return { provider: 'answers' };
  let providerIds: ProviderId[];
  try {
    const mails = rendered.map(({ mail }) => mail);
    await noteAttempt(deps, rows);
    providerIds = await deps.mailer.sendAll(mails, batch.id);
  } catch (error) {
    if (!(error instanceof MailRefusedError) || rows.length === 1) {
      return settleFailure(deps, rows, error);
    }
    await split(deps, rows);
    return { provider: 'answers' };
  }
  const sent = rows.map(({ id }, index) => ({ id, providerId: providerIds[index] ?? null }));
  await markSent(deps.db, sent, deps.clock.now());
  deps.log.info(named(rows), 'Sent emails.');
  return { provider: 'answers' };
}

/** Of all notices that may go now. What becomes of the others is noted. */
async function renderAll(deps: BatchDeps, { isNew, rows }: Batch): Promise<Rendered[]> {
  const fresh = await readyMails(deps, rows);
  const allowed = isNew ? await postponeSome(deps, fresh) : fresh;
  const render = await prepareNews(deps, allowed);
  const rendered: Rendered[] = [];
  const dropped: MailRow[] = [];
  for (const row of allowed) {
    try {
      const mail = addressed(row, render(row));
      if (mail) rendered.push({ row, mail });
      else dropped.push(row);
    } catch (error) {
      await setBatch(deps.db, [row], null);
      await settleFailure(deps, [row], error);
    }
  }
  if (dropped.length > 0) await markDropped(deps.db, dropped);
  return rendered;
}

/** Counts each notice, once however often its batch is tried. @returns those within the limit */
async function postponeSome(deps: BatchDeps, rows: MailRow[]): Promise<MailRow[]> {
  const allowed: MailRow[] = [];
  for (const row of rows) {
    const waitMs = await countNotice(deps, row);
    if (waitMs === 0) allowed.push(row);
    else await markPostponed(deps.db, [row], inFuture(deps, waitMs));
  }
  return allowed;
}

/** The provider refuses a whole batch for one of its emails: halves show which one it is. */
async function split({ db, clock, ids, log }: BatchDeps, rows: MailRow[]): Promise<void> {
  log.info(named(rows), 'The provider refused a batch of emails. Trying its halves …');
  const middle = Math.ceil(rows.length / 2);
  await db.transaction(async (tx) => {
    // What it refuses, it has not taken at an earlier attempt either.
    await setAttempts(
      tx,
      rows.map((row) => ({ ...row, unknownSince: null })),
    );
    for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
      await setBatch(tx, half, ids.uuid());
    }
    await markDeferred(tx, rows, clock.now());
  });
}
