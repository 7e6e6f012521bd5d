import type { CDPSession, Page } from 'playwright-core';
import { beforeEach } from 'vitest';
import type { Visitor } from './browser.ts';
import { type SignedIn, signUp } from './client.ts';
import { signIn } from './screens.ts';
import type { TestServer } from './server.ts';
import { sharedWorld, type World } from './world.ts';

/** A person at their own device, signed in, in front of a real server. */
interface AtDevice {
  server: TestServer;
  visit: World['visit'];
  visitor: Visitor;
  page: Page;
  ada: SignedIn;
  /** Only with a limit from the start. */
  room: Room;
}

interface Room {
  /** Takes all that is left. */
  fill(): Promise<void>;
  /** There is plenty again. */
  free(): Promise<void>;
}

interface DeviceOptions {
  /** Bytes that the site may keep on the device from the start. */
  room?: number;
  /** The whole browser, for what the headless shell does not have. */
  wholeBrowser?: boolean;
}

/** One server for a file, a new person with a new device for each test. */
export function atDevice({ room, wholeBrowser = false }: DeviceOptions = {}): AtDevice {
  const { server, visit } = sharedWorld({ wholeBrowser });
  const at = { server, visit } as AtDevice;
  let people = 0;
  beforeEach(async () => {
    people += 1;
    at.ada = await signUp(server.url, `Ada ${people}`);
    at.visitor = await visit();
    at.page = at.visitor.page;
    if (room !== undefined) {
      // Before the database is first used: Chromium remembers for half a minute what it may take.
      await at.page.goto('/healthz');
      at.room = await limitRoom(at.page, room);
    }
    await signIn(at.page, { email: at.ada.user.email, password: at.ada.password });
    // From here on it starts without a network too.
    await at.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  });
  return at;
}

async function limitRoom(page: Page, bytes: number): Promise<Room> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const allow = (quotaSize: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
  await allow(bytes);
  return {
    fill: async () => {
      await page.evaluate(FILL);
      await allow(1);
    },
    free: async () => void (await allow(1_000_000_000)),
  };
}

/** Writes into a database of its own until the browser takes not even a few bytes more. */
const FILL = `
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('filler', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true });
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const put = (size) => {
        const writing = opening.result.transaction('rows', 'readwrite');
        writing.objectStore('rows').put(crypto.getRandomValues(new Uint8Array(size)));
        writing.oncomplete = () => put(size);
        writing.onabort = () => {
          if (size > 16) return put(size >> 2);
          opening.result.close();
          resolve();
        };
      };
      put(65_536);
    };
  })
`;

/** All rows of this table, as the browser's own database has them. */
export function rowsOf<Row>(page: Page, table: string): Promise<Row[]> {
  return page.evaluate<Row[]>(`readRows('${table}')`);
}
