/*
 * A process that attacks: it opens so many connections, writes the same bytes to each (or several
 * people's, in turn), and opens another one for each that ends, unless it attacks once. In a process of its own, so that its work
 * does not delay the calls that are measured.
 */
import { connect } from 'node:net';

const PAUSE_MS = 10;

process.once('message', ({ port, bytes, connections, isRead = true, isOnce, resetAfterMs }) => {
  const all = [bytes].flat();
  const open = (count) => {
    // Not the address of those who are measured.
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    // Refused and cut connections are what an attacker expects.
    socket.on('error', () => {});
    if (!isOnce) socket.on('close', () => setTimeout(open, PAUSE_MS, count));
    socket.on('connect', () => {
      socket.write(all[count % all.length]);
      if (isRead) socket.resume();
      if (resetAfterMs) setTimeout(() => socket.resetAndDestroy(), resetAfterMs);
    });
  };
  for (let count = 0; count < connections; count += 1) open(count);
});
