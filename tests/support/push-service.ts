import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { PushSubscriptionBody } from '../../shared/api/push.ts';
import { makeCertificate } from './tls.ts';

/** A message as the browser gets it, and what the push service saw of it. */
export interface ReceivedPush {
  endpoint: string;
  headers: IncomingHttpHeaders;
  /** The claims of the server's signature, which was valid for `publicKey`. */
  claims: { aud: string; exp: number; sub: string };
  publicKey: string;
  /** Decrypted and parsed; undefined where only a real browser has the key. */
  message: unknown;
}

export interface PushService {
  /** As in `PUSH_HOSTS`. */
  host: string;
  /** The certificate to trust. */
  cert: Buffer;
  server: Server;
  received: ReceivedPush[];
  /** What it answers from now on, instead of 201. */
  answerWith(status: number, headers?: Record<string, string>): void;
  /** Of a new browser, which this process plays. */
  subscribe(): PushSubscriptionBody;
  /** Of a real browser. @returns its endpoint */
  open(subscription: OpenSubscription): string;
  /** The subscription is gone: whoever sends to it learns that. */
  end(endpoint: string): void;
  isOpen(endpoint: string): boolean;
  close(): Promise<void>;
}

interface OpenSubscription {
  /** The server whose messages alone are taken; without it, any server's. */
  publicKey?: string;
  /** Hands a message on. @returns what it says, where that can be known here */
  deliver(body: Buffer, headers: IncomingHttpHeaders): unknown;
}

/** A push service on https://localhost that does what a real one and the browsers behind it do. */
export async function startPushService(): Promise<PushService> {
  const certificate = await makeCertificate();
  const subscriptions = new Map<string, OpenSubscription>();
  const received: ReceivedPush[] = [];
  let answer: { status: number; headers?: Record<string, string> } = { status: 201 };
  let host = '';
  const server = createServer(certificate, async (request, response) => {
    const endpoint = `https://${host}${request.url}`;
    const { headers } = request;
    const body = await buffer(request);
    const subscription = subscriptions.get(endpoint);
    if (!subscription) {
      response.writeHead(410).end('no such subscription');
      return;
    }
    try {
      const signed = verifySignature(headers.authorization ?? '');
      const { publicKey = signed.publicKey, deliver } = subscription;
      if (publicKey !== signed.publicKey) throw new Error('the subscription is for another server');
      received.push({ endpoint, headers, ...signed, message: deliver(body, headers) });
      response.writeHead(answer.status, answer.headers).end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  host = `localhost:${typeof address === 'object' && address ? address.port : 0}`;
  function open(subscription: OpenSubscription): string {
    const endpoint = `https://${host}/send/${randomBytes(16).toString('hex')}`;
    subscriptions.set(endpoint, subscription);
    return endpoint;
  }
  return {
    host,
    cert: certificate.cert,
    server,
    received,
    open,
    end: (endpoint) => void subscriptions.delete(endpoint),
    isOpen: (endpoint) => subscriptions.has(endpoint),
    answerWith(status, headers) {
      answer = { status, headers };
    },
    subscribe() {
      const ecdh = createECDH('prime256v1');
      const auth = randomBytes(16);
      const p256dh = ecdh.generateKeys('base64url');
      const deliver = (body: Buffer): unknown => JSON.parse(decrypt(body, { ecdh, auth }));
      return { endpoint: open({ deliver }), keys: { p256dh, auth: auth.toString('base64url') } };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** RFC 8292. @throws when the token was not signed with the key that is sent along */
function verifySignature(authorization: string) {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('the signature is not valid');
  return {
    publicKey,
    claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as ReceivedPush['claims'],
  };
}

/** RFC 8291 and 8188, with one record. */
function decrypt(body: Buffer, { ecdh, auth }: { ecdh: ECDH; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  const derive = (secret: Buffer, from: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
