import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { findOpenssl } from '../../scripts/find/find-engines.mjs';

export interface TlsProxy {
  close(): Promise<void>;
}

/**
 * What a proxy does in front of the server: https://localhost on `port` leads to `target`. Its
 * certificate is signed by nobody, so a browser must be told to accept it.
 */
export async function startTlsProxy(port: number, target: string): Promise<TlsProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const open = new Set<TLSSocket>();
  const proxy = createServer(await makeCertificate(), (client) => {
    const server = connect({ host: hostname, port: Number(targetPort) });
    open.add(client);
    client.once('close', () => {
      open.delete(client);
      server.destroy();
    });
    client.on('error', () => client.destroy());
    server.on('error', () => client.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    async close() {
      for (const client of open) client.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** For https://localhost, signed by itself. */
export async function makeCertificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', key, '-out', cert];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    await promisify(execFile)(findOpenssl(), ['req', ...kind, ...names, ...files]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
