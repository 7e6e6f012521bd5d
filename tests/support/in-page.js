// Runs in every page of a browser test, before the page's own scripts.

document.addEventListener('securitypolicyviolation', (event) => {
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
});

// A page goes on from the moment in which a capsule is sealed, unless its test looks at it. The first
// press ends the drawing. Playwright's own handlers look before each step of each test, which was a
// tenth of the processor time of the browser tests.
new MutationObserver(() => {
  if (globalThis.looksAtMoments) return;
  const buttons = [...document.querySelectorAll('dialog[data-moment] button')];
  buttons.find(({ textContent }) => textContent === 'Done')?.click();
}).observe(document, { childList: true, subtree: true, attributeFilter: ['data-rests'] });

/** All that this device keeps for the site, as text: Cache Storage, IndexedDB and both storages. */
globalThis.readDevice = async () => {
  const found = [{ ...localStorage }, { ...sessionStorage }];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      found.push([name, request.url, await response.text()]);
    }
  }
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const reading = database.transaction(store).objectStore(store).getAll();
      found.push([name, store, await readable(await settled(reading))]);
    }
    database.close();
  }
  return JSON.stringify(found);
};

/** The same with bytes as text. */
async function readable(value) {
  if (value instanceof Blob) return readable(await value.arrayBuffer());
  if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
  if (Array.isArray(value)) return Promise.all(value.map(readable));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, one]) => [key, await readable(one)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** From here on what live regions come to say is listed in `spoken`, in its order. */
globalThis.recordSpoken = () => {
  globalThis.spoken = [];
  const latest = new Map();
  const record = () => {
    for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]')) {
      const text = region.textContent.trim();
      if (text === (latest.get(region) ?? '')) continue;
      latest.set(region, text);
      if (text !== '') globalThis.spoken.push(text);
    }
  };
  new MutationObserver(record).observe(document.body, {
    childList: true,
    characterData: true,
    subtree: true,
  });
};

/** The name of the signed-in person's database. */
globalThis.nameOfDatabase = async () => {
  const opening = indexedDB.open('time-capsule-device');
  // Nothing is made here that the app has not made.
  opening.onupgradeneeded = () => opening.transaction.abort();
  const device = await settled(opening);
  const reading = device.transaction('device').objectStore('device').get('session');
  const session = await settled(reading);
  device.close();
  return `time-capsule-${session.userId}`;
};

/** The signed-in person's database, beside the app. */
globalThis.openBesideApp = async () => settled(indexedDB.open(await nameOfDatabase()));

/** Puts rows into a table of the app's database, beside the app. */
globalThis.putRows = async (store, rows) => {
  const database = await openBesideApp();
  const table = database.transaction(store, 'readwrite').objectStore(store);
  for (const row of rows) await settled(table.put(row));
  database.close();
};

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Takes every row out of one of the app's tables, beside the app. */
globalThis.clearRows = async (store) => {
  const database = await openBesideApp();
  await settled(database.transaction(store, 'readwrite').objectStore(store).clear());
  database.close();
};

/** All rows of one of the app's tables, of everybody whose database is on this device. */
globalThis.readRows = async (store) => {
  const rows = [];
  for (const { name } of await indexedDB.databases()) {
    if (!/^time-capsule-(?!device$)/.test(name)) continue;
    const database = await settled(indexedDB.open(name));
    rows.push(...(await settled(database.transaction(store).objectStore(store).getAll())));
    database.close();
  }
  return rows;
};

/**
 * Puts a capsule into the outbox as the create screen does, without the screen: rows of the same
 * shape, files in the same chunks. Files are made here from a seed, so that none has to be sent in.
 * Returns the SHA-256 of each file, computed over all of it.
 */
globalThis.queueCapsule = async ({ userId, email, title, dateToUnlock, fileBytes, seed }) => {
  const CHUNK = 4_194_304;
  const id = crypto.randomUUID();
  const now = Date.now();
  const files = [];
  const chunks = [];
  const hashes = [];
  for (const [place, length] of fileBytes.entries()) {
    const bytes = noise(length, seed + place);
    const fileId = crypto.randomUUID();
    hashes.push(hex(await crypto.subtle.digest('SHA-256', bytes)));
    for (let start = 0; start < length; start += CHUNK) {
      const part = bytes.slice(start, start + CHUNK).buffer;
      const digest = await crypto.subtle.digest('SHA-256', part);
      chunks.push({
        ...{ attachmentId: fileId, index: start / CHUNK },
        ...{ bytes: new Blob([part]), digest },
      });
    }
    files.push({
      ...{ id: fileId, name: `${title} ${place}.mp4`, type: 'video/mp4' },
      ...{ bytes: length, lastModified: now, thumbnail: null },
      ...{ complete: true, announced: false, sentBytes: 0 },
    });
  }
  const fields = {
    ...{ title, description: 'Queued', dateToUnlock, notifyRecipient: false, personalMessage: '' },
    recipients: [{ id: userId, name: 'Oneself', email, avatar: 'O', isYou: true }],
  };
  const item = {
    ...{ id, fields, timeZone: 'UTC', state: 'queued', queuedAt: now, attempts: 0 },
    ...{ nextTryAt: now, mayHaveArrived: false, failure: null },
    ...{
      files: files.map((file) => file.id),
      totalBytes: fileBytes.reduce((sum, n) => sum + n, 0),
    },
    sentBytes: 0,
  };
  const database = await openBesideApp();
  const stores = ['attachments', 'chunks', 'outbox'];
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
  for (const row of files) transaction.objectStore('attachments').put(row);
  for (const row of chunks) transaction.objectStore('chunks').put(row);
  transaction.objectStore('outbox').put(item);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
  return hashes;
};

/** Bytes that no one can compress, beginning as an MP4 does; the same for the same seed. */
function noise(length, seed) {
  const bytes = new Uint8Array(length);
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1;
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  bytes.set([0, 0, 0, 24, ...new TextEncoder().encode('ftypisom')].slice(0, length));
  bytes.set([0, 0, 2, 0, ...new TextEncoder().encode('isomiso2')].slice(0, length - 12), 12);
  return bytes;
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
