import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { BodyOf, ResponseOf } from '../../shared/api/endpoint.ts';
import type { Assertion } from '../../shared/api/own-password.ts';
import { addPasskey, newPasskeyOptions, passkeyOptions } from '../../shared/api/passkeys.ts';
import { answerOf, type SignedIn, type TestClient } from './client.ts';

type Made = BodyOf<typeof addPasskey>;

/** What an honest authenticator would not do. */
export interface Tricks {
  /** Where the browser says that it is. */
  origin?: string;
  /** For which host the authenticator answers. */
  rpId?: string;
  challenge?: string;
  /** What its counter says; without it, the number of uses. */
  counter?: number;
  /** Nobody has shown a finger, a face or a PIN. */
  isUnverified?: boolean;
  /** Signed by another key. */
  isForged?: boolean;
  userHandle?: string;
  type?: string;
  /** The form in which it attests what it is, with certificates that nobody could read. */
  attests?: string;
}

/** An authenticator with one passkey, as the browser at `origin` talks to it. */
export function createAuthenticator(origin: string) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const rpIdOf = (tricks: Tricks) => tricks.rpId ?? new URL(origin).hostname;
  let uses = 0;
  let userHandle: string | undefined;

  function clientData(type: string, challenge: string, tricks: Tricks): Buffer {
    const said = {
      type: tricks.type ?? type,
      challenge: tricks.challenge ?? challenge,
      origin: tricks.origin ?? origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(said));
  }

  function authenticatorData(tricks: Tricks, attested = Buffer.alloc(0)): Buffer {
    uses += 1;
    const present = 0x01;
    const verified = tricks.isUnverified ? 0 : 0x04;
    const flags = present | verified | (attested.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(tricks.counter ?? uses);
    return Buffer.concat([sha256(rpIdOf(tricks)), Buffer.of(flags), counter, attested]);
  }

  return {
    /** Makes its passkey. */
    create(options: ResponseOf<typeof newPasskeyOptions>, tricks: Tricks = {}): Made {
      const jwk = keys.publicKey.export({ format: 'jwk' });
      const coordinate = (name: 'x' | 'y') => bytes(Buffer.from(String(jwk[name]), 'base64url'));
      // COSE: an elliptic curve key, ES256, P-256, and its two coordinates.
      const cose = map(5, [1, 2], [3, -7], [-1, 1], [-2, coordinate('x')], [-3, coordinate('y')]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const authData = bytes(authenticatorData(tricks, attested));
      userHandle = options.user.id;
      const attestation = map(
        3,
        ['fmt', text(tricks.attests ?? 'none')],
        ['attStmt', tricks.attests ? map(1, ['x5c', text('no certificates')]) : map(0)],
        ['authData', authData],
      );
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, tricks)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      };
    },

    /** Answers with its passkey. */
    get(
      options: Pick<ResponseOf<typeof passkeyOptions>, 'challenge'>,
      tricks: Tricks = {},
    ): Assertion {
      const data = clientData('webauthn.get', options.challenge, tricks);
      const authData = authenticatorData(tricks);
      const sign = createSign('sha256').update(Buffer.concat([authData, sha256(data)]));
      const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(sign.sign(tricks.isForged ? other.privateKey : keys.privateKey)),
          userHandle: tricks.userHandle ?? userHandle,
        },
      };
    },
  };
}

/** What the server asks of a passkey that this client uses. */
export async function optionsFor(client: Pick<TestClient, 'post'>) {
  return answerOf(passkeyOptions, await client.post('/auth/passkey/options'));
}

/** A passkey of somebody's, with their password. */
export async function addPasskeyTo(person: SignedIn) {
  const authenticator = createAuthenticator(person.url);
  const { password } = person;
  const options = answerOf(
    newPasskeyOptions,
    await person.post('/user/passkeys/options', { password }),
  );
  const made = await person.post('/user/passkeys', authenticator.create(options));
  return { authenticator, passkey: answerOf(addPasskey, made) };
}

const base64url = (buffer: Buffer) => buffer.toString('base64url');
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** CBOR, as much of it as a passkey needs. */
function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.of((type << 5) | value);
  if (value < 256) return Buffer.of((type << 5) | 24, value);
  return Buffer.of((type << 5) | 25, value >> 8, value & 255);
}
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const item = (value: number | string | Buffer) =>
  typeof value === 'number' ? number(value) : typeof value === 'string' ? text(value) : value;
function map(size: number, ...pairs: [number | string, number | Buffer][]): Buffer {
  return Buffer.concat([head(5, size), ...pairs.flat().map(item)]);
}
