// The floor of saving a file: IndexedDB alone, in the same page. The same number of bytes from
// memory, without a hash, each chunk durable before the next one is written.
globalThis.benchRawWrites = async (bytes) => {
  const chunkBytes = 4_194_304;
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const opening = indexedDB.open('bench-floor');
  opening.onupgradeneeded = () => opening.result.createObjectStore('chunks');
  const database = await settled(opening);
  const chunk = new Uint8Array(chunkBytes);
  for (let at = 0; at < chunkBytes; at += 65_536) {
    crypto.getRandomValues(chunk.subarray(at, at + 65_536));
  }
  const started = performance.now();
  for (let index = 0; index < bytes / chunkBytes; index += 1) {
    const transaction = database.transaction('chunks', 'readwrite', { durability: 'strict' });
    transaction.objectStore('chunks').put(chunk.buffer, index);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  }
  const milliseconds = performance.now() - started;
  database.close();
  await settled(indexedDB.deleteDatabase('bench-floor'));
  return milliseconds;
};
