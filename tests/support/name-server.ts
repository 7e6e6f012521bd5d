import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/**
 * Starts a name server on this machine that knows these TXT records and nothing else, until the
 * test ends. @returns its address and port
 */
export async function startNameServer(records: Record<string, string[]>): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const texts = records[labels.join('.').toLowerCase()];
    const header = Buffer.from(query.subarray(0, 12));
    // An answer; "no such name" where there is none.
    header.writeUInt16BE(texts ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(texts?.length ?? 0, 6);
    header.writeUInt32BE(0, 8);
    const answers = (texts ?? []).map((text) => {
      const pieces = text.match(/.{1,255}/gs) ?? [];
      const data = Buffer.concat(
        pieces.flatMap((piece) => [Buffer.from([piece.length]), Buffer.from(piece)]),
      );
      const start = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
      start.writeUInt16BE(data.length, 10);
      return Buffer.concat([start, data]);
    });
    server.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${server.address().port}`;
}
