import { connect } from 'node:net';

/**
 * Runs jobs on so many open connections until the time is up, each beginning its next one when one
 * is done. Written on bare sockets, because it shares the processor with the server it measures.
 * @param job gets `call(buffers)`, which sends one request and returns a function for the answer's body
 * @returns how many jobs were done in how many seconds, and the bytes of all bodies
 */
export async function jobsASecond(port, job, { connections = 32, seconds = 3 } = {}) {
  let jobs = 0;
  let bytes = 0;
  let number = 0;
  const started = performance.now();
  const until = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await open(port);
      while (performance.now() < until) {
        await job(connection.call, number++);
        jobs += 1;
      }
      bytes += connection.bytes();
      connection.close();
    }),
  );
  return { jobs, bytes, seconds: (performance.now() - started) / 1_000 };
}

/** One connection that is kept. */
async function open(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = 0;
  let chunks = [];
  let length = 0;
  let left = 0;
  let answered = null;
  socket.on('data', (chunk) => {
    if (chunks.length === 0) {
      const end = chunk.indexOf('\r\n\r\n');
      const head = chunk.toString('latin1', 0, end);
      const body = /\r\ncontent-length: (\d+)/i.exec(head);
      if (!body) return answered?.reject(new Error(`No length: ${chunk}`));
      length = end + 4;
      left = length + Number(body[1]);
    }
    chunks.push(chunk);
    left -= chunk.length;
    if (left > 0) return;
    const [first] = chunks;
    const status = Number(first.toString('latin1', 9, 12));
    const { resolve } = answered;
    const all = chunks;
    chunks = [];
    received += all.reduce((sum, { length }) => sum + length, 0) - length;
    resolve({ status, body: () => Buffer.concat(all).subarray(length) });
  });
  const fail = () => answered?.reject(new Error('The connection ended.'));
  socket.on('error', fail).on('close', fail);
  return {
    /** Sends one request. @throws when the answer is no success */
    async call(buffers) {
      const answer = new Promise((resolve, reject) => {
        answered = { resolve, reject };
      });
      socket.cork();
      for (const buffer of buffers) socket.write(buffer);
      socket.uncork();
      const { status, body } = await answer;
      if (status >= 300) throw new Error(`${status}: ${body()}`);
      return body;
    },
    /** How many bytes of bodies have come. */
    bytes: () => received,
    close: () => socket.removeAllListeners('close').destroy(),
  };
}
