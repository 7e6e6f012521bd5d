/** The key pair by which push services know a server (VAPID, RFC 8292), as base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushMessage {
  target: PushTarget;
  keys: PushKeys;
  /** JSON; encrypted for the browser alone. */
  payload: string;
}

/** `gone`: the browser has no such subscription any more. */
export type PushOutcome = 'taken' | 'gone' | { status: number; retryAfterMs: number };

export interface PushSender {
  createKeys(): PushKeys;
  /** Hands a message to the push service of a browser. @throws when the service cannot be reached */
  send(message: PushMessage): Promise<PushOutcome>;
}
