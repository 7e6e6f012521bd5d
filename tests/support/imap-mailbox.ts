import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export interface ImapMailbox {
  url: string;
  /** Raw emails, the first one with the UID 1. */
  messages: string[];
  /** UIDs that were marked as read. */
  seen: Set<number>;
  /** UIDs in the order in which they were read. */
  read: number[];
  /** Changes when the mailbox is made anew. */
  validity: number;
  close(): Promise<void>;
}

let lives = 0;
/** No two mailboxes have the same one. */
function nextLife(): number {
  lives += 1_000;
  return lives;
}

/** As much of an IMAP server as our reader asks for: one mailbox that opens with any password. */
export async function startImapMailbox(): Promise<ImapMailbox> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    let rest = '';
    socket.on('data', (data) => {
      const lines = (rest + data.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) socket.write(answer(line), 'latin1');
    });
  });

  function answer(line: string): string {
    const [tag = '', ...words] = line.split(' ');
    const command = words.join(' ');
    return `${said(command)}${tag} OK done\r\n`;
  }

  function said(command: string): string {
    if (/^CAPABILITY/i.test(command)) return '* CAPABILITY IMAP4rev1\r\n';
    if (/^(LIST|LSUB)/i.test(command)) return '* LIST () "/" INBOX\r\n';
    if (/^LOGOUT/i.test(command)) return '* BYE\r\n';
    if (/^SELECT/i.test(command)) {
      return `* ${mailbox.messages.length} EXISTS\r\n* OK [UIDVALIDITY ${mailbox.validity}]\r\n`;
    }
    const [, from] = /^UID SEARCH .*?(\d+):\*/i.exec(command) ?? [];
    if (from) return `* SEARCH ${unread(Number(from)).join(' ')}\r\n`;
    const [, verb, number] = /^UID (FETCH|STORE) (\d+) /i.exec(command) ?? [];
    const uid = Number(number);
    if (verb === 'STORE') mailbox.seen.add(uid);
    return verb === 'FETCH' ? fetched(uid, /<0\.(\d+)>/.exec(command)?.[1]) : '';
  }

  function unread(from: number): number[] {
    const uids = mailbox.messages.map((_, index) => index + 1);
    // As servers do: a range to the end has the last one in any case.
    return uids.filter(
      (uid, at) => !mailbox.seen.has(uid) && (uid >= from || at + 1 === uids.length),
    );
  }

  function fetched(uid: number, bytes: string | undefined): string {
    mailbox.read.push(uid);
    const text = (mailbox.messages[uid - 1] ?? '').slice(0, Number(bytes ?? Infinity));
    const date = 'INTERNALDATE "23-Nov-2026 22:01:30 +0000"';
    return `* ${uid} FETCH (UID ${uid} ${date} BODY[]<0> {${text.length}}\r\n${text})\r\n`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  const mailbox: ImapMailbox = {
    url: `imap://capsules:secret@127.0.0.1:${port}/INBOX`,
    messages: [],
    seen: new Set(),
    read: [],
    validity: nextLife(),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return mailbox;
}
