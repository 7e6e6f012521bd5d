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

/** @param storage throws where storage is forbidden, so every use asks for it anew */
function valuesIn(storage: () => Storage): Values {
  const attempt = <Result>(use: () => Result, otherwise: Result): Result => {
    try {
      return use();
    } catch {
      return otherwise;
    }
  };
  return {
    read: (key) => attempt(() => storage().getItem(key), null),
    readJson: (key) => attempt(() => JSON.parse(storage().getItem(key) ?? 'null'), null),
    write: (key, value) =>
      attempt(() => {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
        return true;
      }, false),
  };
}
