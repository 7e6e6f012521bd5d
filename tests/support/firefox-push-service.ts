import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { PushService } from './push-service.ts';

/** The side of Mozilla's push service that Firefox is connected to. */
export interface FirefoxPushService {
  /** What the browser must be told of it. */
  prefs: Record<string, string | number | boolean>;
  /** What Firefox said of each message: 100 delivered, 101 not decrypted, 102 not delivered. */
  outcomes: number[];
  /** Forgets all browsers, as Mozilla's does with those that are away for long: they lose their subscriptions. */
  forgetBrowsers(): void;
  close(): Promise<void>;
}

interface FirefoxBrowser {
  /** Null while the browser is closed. */
  socket: WebSocket | null;
  /** Endpoints by channel. */
  channels: Map<string, string>;
  /** Sent, or waiting for the browser to come back, and not acknowledged yet. */
  waiting: Notification[];
}

interface Notification {
  messageType: 'notification';
  channelID: string;
  version: string;
  data: string;
  headers: { encoding: string };
}

type FromFirefox =
  | { messageType: 'hello'; uaid?: string }
  | { messageType: 'register'; channelID: string; key?: string }
  | { messageType: 'unregister'; channelID: string }
  | { messageType: 'ack'; updates: { version: string; code: number }[] }
  | { messageType: 'nack'; version: string; code: number }
  | { messageType: 'broadcast_subscribe' }
  | { messageType?: undefined };

/**
 * Speaks the WebSocket protocol of Mozilla's push service with real Firefoxes, on the host of `service`, which takes
 * the messages for them. Like the real one, it cannot read the messages.
 */
export function startFirefoxPushService(service: PushService): FirefoxPushService {
  const browsers = new Map<string, FirefoxBrowser>();
  const outcomes: number[] = [];
  const sockets = new WebSocketServer({ server: service.server });

  sockets.on('connection', (socket) => {
    const say = (message: object) => socket.send(JSON.stringify(message));
    let browser: FirefoxBrowser | undefined;

    function sayHello(uaid: string | undefined): void {
      const known =
        uaid !== undefined && browsers.has(uaid) ? uaid : randomUUID().replaceAll('-', '');
      browser = browsers.get(known) ?? { socket: null, channels: new Map(), waiting: [] };
      browser.socket = socket;
      browsers.set(known, browser);
      say({ messageType: 'hello', status: 200, uaid: known, use_webpush: true, broadcasts: {} });
      for (const notification of browser.waiting) say(notification);
    }

    function register(to: FirefoxBrowser, channelID: string, key: string | undefined): void {
      const publicKey = key && Buffer.from(key, 'base64url').toString('base64url');
      const deliver = (body: Buffer, headers: IncomingHttpHeaders) => {
        const notification: Notification = {
          messageType: 'notification',
          channelID,
          version: randomBytes(16).toString('base64url'),
          data: body.toString('base64url'),
          headers: { encoding: String(headers['content-encoding']) },
        };
        to.waiting.push(notification);
        to.socket?.send(JSON.stringify(notification));
      };
      const pushEndpoint = service.open({ publicKey, deliver });
      to.channels.set(channelID, pushEndpoint);
      say({ messageType: 'register', status: 200, channelID, pushEndpoint });
    }

    function unregister(from: FirefoxBrowser, channelID: string): void {
      service.end(from.channels.get(channelID) ?? '');
      from.channels.delete(channelID);
      say({ messageType: 'unregister', status: 200, channelID });
    }

    function acknowledge(by: FirefoxBrowser, version: string, code: number): void {
      outcomes.push(code);
      by.waiting = by.waiting.filter((one) => one.version !== version);
    }

    socket.on('message', (text) => {
      const message = JSON.parse(String(text)) as FromFirefox;
      if (message.messageType === 'hello') return sayHello(message.uaid);
      // A ping.
      if (message.messageType === undefined) return say({});
      if (!browser) return socket.close();
      if (message.messageType === 'register') register(browser, message.channelID, message.key);
      if (message.messageType === 'unregister') unregister(browser, message.channelID);
      if (message.messageType === 'ack') {
        for (const { version, code } of message.updates) acknowledge(browser, version, code);
      }
      if (message.messageType === 'nack') acknowledge(browser, message.version, message.code);
    });
    socket.on('close', () => {
      if (browser?.socket === socket) browser.socket = null;
    });
  });

  return {
    prefs: {
      'dom.push.serverURL': `wss://${service.host}/`,
      // Off in a browser that is driven, unless it is asked for.
      'dom.push.connection.enabled': true,
      'dom.push.retryBaseInterval': 100,
    },
    outcomes,
    forgetBrowsers() {
      for (const { channels } of browsers.values()) {
        for (const endpoint of channels.values()) service.end(endpoint);
      }
      browsers.clear();
      for (const socket of sockets.clients) socket.terminate();
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => sockets.close(resolve));
    },
  };
}
