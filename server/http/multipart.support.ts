import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, vi } from 'vitest';
import { createMemoryStore } from '../../tests/support/memory-store.ts';
import type { AppError } from '../app-error.ts';
import { type MultipartRules, readParts } from './multipart.ts';
import type { ArrivingFile } from './multipart-part.ts';

export const LIMITS = { fileBytes: 3_000_000, totalBytes: 4_000_000, files: 3, jsonBytes: 1_000 };
export const BOUNDARY = 'the-boundary';

export interface Stored {
  name: string;
  sha256: string;
}

interface Takers {
  onJson?: (text: string) => Promise<void>;
  onFile?: (file: ArrivingFile) => Promise<Stored>;
}

/**
 * A server that stores what comes, and what it has to say about it.
 * @param before what it does before it begins to read
 */
export async function receiver(
  { onJson, onFile, ...change }: Partial<MultipartRules> & Takers = {},
  before: (incoming: IncomingMessage) => Promise<unknown> | null = () => null,
) {
  const store = createMemoryStore();
  const outcomes: Promise<unknown>[] = [];
  let requests = 0;
  async function keep({ name, stream }: ArrivingFile): Promise<Stored> {
    requests += 1;
    const { sha256 } = await store.write(`file-${requests}`, stream);
    return { name, sha256 };
  }
  async function read(incoming: IncomingMessage) {
    const rules = { limits: LIMITS, jsonField: 'capsule', fileField: 'files', ...change };
    let json: string | null = null;
    const files: Stored[] = [];
    for await (const part of readParts(incoming, rules)) {
      if ('json' in part) {
        json = part.json;
        await onJson?.(part.json);
      } else {
        files.push(await (onFile ?? keep)(part.file));
      }
    }
    return { json, files };
  }
  server = createServer((incoming, outgoing) => {
    const waiting = before(incoming);
    const outcome = waiting ? waiting.catch(() => null).then(() => read(incoming)) : read(incoming);
    outcomes.push(outcome);
    outcome.then(
      (result) => outgoing.end(JSON.stringify(result)),
      (error: AppError) => {
        outgoing.statusCode = error.status;
        outgoing.setHeader('Connection', 'close');
        outgoing.end(JSON.stringify({ code: error.code, message: error.message }));
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    store,
    url: `http://127.0.0.1:${port}/`,
    /** The outcome of the first request, once it has come in. */
    async outcome() {
      await vi.waitFor(() => expect(outcomes).not.toEqual([]));
      return outcomes[0];
    },
    async send(lines: string[]): Promise<Socket> {
      socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(lines.join('\r\n'));
      return socket;
    },
    async post(body: FormData | Buffer | string, headers: Record<string, string> = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

let server: Server | undefined;
let socket: Socket | undefined;
afterEach(() => {
  socket?.destroy();
  server?.close();
  server?.closeAllConnections();
});

export const typed = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export function form(
  ...parts: [name: string, value: string | Blob, fileName?: string][]
): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
}

export function filePart(name: string, content: Buffer): Buffer {
  const header = `Content-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;
  return Buffer.concat([Buffer.from(header), content]);
}

export function multipart(parts: Buffer[]): Buffer {
  const opened = parts.flatMap((part) => [
    Buffer.from(`--${BOUNDARY}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...opened, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
