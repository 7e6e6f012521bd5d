// Runs in every page of a browser test, before the page's own scripts.

document.addEventListener('securitypolicyviolation', (event) => {
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
});

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
      found.push([name, store, await settled(reading)]);
    }
    database.close();
  }
  return JSON.stringify(found, (_, value) =>
    value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value,
  );
};

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
