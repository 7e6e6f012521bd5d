/** How long a read or write of a few bytes, or a list of names, may take on the slowest device. */
export const ANSWER_MAX_MS = 5_000;

let isSilent = false;

/** Whether the browser's storage has not answered, and has not answered since. */
export function isStorageSilent(): boolean {
  return isSilent;
}

/**
 * What the browser's storage says. Some browsers leave IndexedDB without an answer for ever
 * (WebKit bug 226547): that is a failure like a refusal. After one silence nobody waits
 * again until the storage has said something.
 */
export function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      isSilent = true;
      reject(new Error("This device's storage does not answer."));
    };
    const timer = setTimeout(giveUp, isSilent ? 0 : ANSWER_MAX_MS);
    const hear = () => {
      clearTimeout(timer);
      isSilent = false;
    };
    asked.then(hear, hear);
    asked.then(resolve, reject);
  });
}

/** The names and versions of the databases; none where the browser does not list them. */
export async function listDatabases(): Promise<IDBDatabaseInfo[]> {
  return (await answered(Promise.resolve(indexedDB.databases?.()))) ?? [];
}
