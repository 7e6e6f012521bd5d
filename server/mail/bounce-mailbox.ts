import { ImapFlow } from 'imapflow';
import { mailAddressOf } from '../config-address.ts';
import { REPORT_HEAD_BYTES, readBounceReport } from './bounce-report.ts';
import type { Mailer } from './mailer.ts';

/** Reports of one pass; the others are read by the next one. */
const REPORTS_MAX = 200;
const STEP_TIMEOUT_MS = 20_000;

/**
 * Reads reports about emails that came back from the mailbox to which MAIL_FROM leads. A report
 * about an email of ours is marked as read. All else stays as it is, and is looked at once.
 * @param options.url as in `imaps://user:password@mail.example.org/INBOX`
 */
export function createBounceReader({ url }: { url: string }): NonNullable<Mailer['readBounces']> {
  const { url: address, requireTls } = mailAddressOf(url);
  const { protocol, hostname: host, port, username, password, pathname } = address;
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX';
  const secure = protocol === 'imaps:';

  return async (inbox, signal) => {
    const client = new ImapFlow({
      host,
      port: Number(port) || (secure ? 993 : 143),
      secure,
      ...(requireTls && !secure && { doSTARTTLS: true }),
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      logger: false,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
    });
    // What fails makes the call under way fail as well.
    client.on('error', () => {});
    await client.connect();
    try {
      const { uidValidity } = await client.mailboxOpen(folder);
      // Numbers of messages count for one life of one mailbox.
      const life = `${username}@${host}/${folder} ${uidValidity} `;
      const place = (await inbox.readTo()) ?? '';
      const next = place.startsWith(life) ? Number(place.slice(life.length)) : 1;
      const found = await client.search({ seen: false, uid: `${next}:*` }, { uid: true });
      // A range to the end has the last message, even if that is before its start.
      const uids = (found || []).filter((uid) => uid >= next).sort((a, b) => a - b);
      for (const uid of uids.slice(0, REPORTS_MAX)) {
        if (signal.aborted) return;
        const event = await eventAt(client, uid);
        const isOurs = event && (await inbox.take(event));
        if (isOurs) await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true });
        // After each one, so that the next pass goes on where this one may fail.
        await inbox.setReadTo(`${life}${uid + 1}`);
      }
    } finally {
      await client.logout().catch(() => client.close());
    }
  };
}

/** What the beginning of a message reports, read without marking it. */
async function eventAt(client: ImapFlow, uid: number) {
  const head = { internalDate: true, source: { maxLength: REPORT_HEAD_BYTES } };
  const message = await client.fetchOne(uid, head, { uid: true });
  if (message === false || !message.source || !message.internalDate) return null;
  const report = await readBounceReport(message.source).catch(() => null);
  return report && { ...report, at: new Date(message.internalDate) };
}
