/*
 * Small values that a page finds without a database. Where the browser forbids its storage, or the
 * storage is full, nothing is stored and nothing is found.
 */

interface Values {
  read: (key: string) => string | null;
  /** The parsed JSON of a value; null when there is none or the text is no JSON. */
  readJson: (key: string) => unknown;
  /** Stores a value; null removes it. @returns whether the browser allowed it */
  write: (key: string, value: string | null) => boolean;
}

/** Lasts on this device. */
export const deviceStorage = valuesIn(() => localStorage);

/** Lasts as long as the tab, over its reloads. */
export const tabStorage = valuesIn(() => sessionStorage);

/**
 * @param find throws where storage is forbidden, so every use asks for it anew. In WebKit it is null
 *   once a script has closed the window, but the storage that the page already has still takes values.
 */
function valuesIn(find: () => Storage | null): Values {
  let known: Storage | null = null;
  const attempt = <Result>(use: (storage: Storage) => Result, otherwise: Result): Result => {
    try {
      known = find() ?? known;
      return known ? use(known) : otherwise;
    } catch {
      return otherwise;
    }
  };
  return {
    read: (key) => attempt((storage) => storage.getItem(key), null),
    readJson: (key) => attempt((storage) => JSON.parse(storage.getItem(key) ?? 'null'), null),
    write: (key, value) =>
      attempt((storage) => {
        if (value === null) storage.removeItem(key);
        else storage.setItem(key, value);
        return true;
      }, false),
  };
}
