// Runs in every page of the bench, before the page's own scripts.

/** Milliseconds at which `isDone` first held and the frame that shows it was painted. */
globalThis.benchPainted = (isDone) =>
  new Promise((resolve) => {
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    const look = () => {
      if (!isDone()) return;
      observer.disconnect();
      painted();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    look();
  });

/**
 * Milliseconds from the next event of this kind until `isDone`, which does not hold yet, holds
 * and is painted. `keydown Enter` is that of one key.
 */
globalThis.benchFrom = (event, isDone) =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`not done a minute after ${event}`)), 60_000);
    const [kind, wantedKey] = event.split(' ');
    const start = ({ timeStamp, key }) => {
      if (wantedKey && key !== wantedKey) return;
      removeEventListener(kind, start, { capture: true });
      if (isDone()) reject(new Error(`done before ${event}`));
      benchPainted(isDone).then((at) => resolve(at - timeStamp));
    };
    addEventListener(kind, start, { capture: true });
  });

/** Has the device keep the whole created list of its person, in the rows that the app writes page by page. */
globalThis.benchFillCache = async (owner) => {
  const itemsPerPage = 6;
  const capsules = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await fetch(`/api/capsules/created?page=${page}&limit=50`);
    const { capsules: some, pagination } = await answer.json();
    capsules.push(...some);
    pages = pagination.totalPages;
  }
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open('time-capsule');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const fetchedAt = Date.now();
  const totalItems = capsules.length;
  const totalPages = Math.ceil(totalItems / itemsPerPage);
  const transaction = database.transaction(['capsules', 'lists'], 'readwrite');
  for (const capsule of capsules) {
    const row = { owner, id: capsule.id, capsule, lists: ['created'], fetchedAt };
    transaction.objectStore('capsules').put(row);
  }
  for (let page = 1; page <= totalPages; page += 1) {
    const ids = capsules.slice((page - 1) * itemsPerPage, page * itemsPerPage).map(({ id }) => id);
    const pagination = { currentPage: page, totalPages, itemsPerPage, totalItems };
    const row = { owner, type: 'created', query: '', page, ids, pagination, fetchedAt };
    transaction.objectStore('lists').put(row);
  }
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
};
