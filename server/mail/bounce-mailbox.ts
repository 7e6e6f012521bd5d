import { ImapFlow } from 'imapflow';
import { readBounceReport, STATUS_PART } from './bounce-report.ts';
import type { Mailer } from './mailer.ts';

/** A report has the email that came back, or its headers. */
const REPORT_MAX_BYTES = 262_144;
/** Reports of one pass; the others are read by the next one. */
const REPORTS_MAX = 200;
const STEP_TIMEOUT_MS = 20_000;

/**
 * Reads reports about emails that came back from the mailbox to which MAIL_FROM leads. A report
 * about an email of ours is marked as read. All else stays as it is, and is looked at once.
 * @param options.url as in `imaps://user:password@mail.example.org/INBOX`
 */
export function createBounceReader({ url }: { url: string }): NonNullable<Mailer['readBounces']> {
  const { protocol, hostname: host, port, username, password, pathname } = new URL(url);
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX';
  const secure = protocol === 'imaps:';
  /** From which message on they are new to this process, and for which life of the mailbox. */
  let next = { uid: 1, validity: 0n };

  return async (take, signal) => {
    const client = new ImapFlow({
      host,
      port: Number(port) || (secure ? 993 : 143),
      secure,
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
      if (uidValidity !== next.validity) next = { uid: 1, validity: uidValidity };
      const found = await client.search({ seen: false, uid: `${next.uid}:*` }, { uid: true });
      // A range to the end has the last message, even if that is before its start.
      const uids = (found || []).filter((uid) => uid >= next.uid).sort((a, b) => a - b);
      let isWaiting = false;
      for (const uid of uids.slice(0, REPORTS_MAX)) {
        if (signal.aborted) return;
        const bytes = await reportAt(client, uid);
        const report = bytes && (await readBounceReport(bytes.source).catch(() => null));
        const outcome = report && (await take({ ...report, at: bytes.at }));
        if (outcome === 'ours') await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true });
        if (outcome === 'later') isWaiting = true;
        if (!isWaiting) next.uid = uid + 1;
      }
    } finally {
      await client.logout().catch(() => client.close());
    }
  };
}

/** A report that is not too large, read without marking it. */
async function reportAt(client: ImapFlow, uid: number) {
  const query = { size: true, bodyStructure: true, internalDate: true };
  const message = await client.fetchOne(uid, query, { uid: true });
  if (!message || (message.size ?? 0) > REPORT_MAX_BYTES) return null;
  const parts = message.bodyStructure?.childNodes ?? [];
  if (!parts.some(({ type }) => STATUS_PART.test(type))) return null;
  const whole = await client.fetchOne(uid, { source: true }, { uid: true });
  if (whole === false || !whole.source || !message.internalDate) return null;
  return { source: whole.source, at: new Date(message.internalDate) };
}
