/**
 * What stands behind the tables: the browser's IndexedDB or, where that cannot be used, the
 * memory of this page. The tables above do not notice; the person is told.
 */
export interface Engine {
  indexedDB: IDBFactory;
  IDBKeyRange: typeof IDBKeyRange;
}

/**
 * Why nothing is kept on this device: a newer version of the app has changed the database, an
 * older one in another tab holds it, or the browser refuses (a private window, blocked storage,
 * no room even to begin).
 */
export type Trouble = 'newer' | 'held' | 'unavailable';

/** What to do when the browser's database does not open. */
export interface Otherwise {
  whenRefused: (request: OpenRequest, standing: Standing, error: unknown) => void;
  whenHeld: (request: OpenRequest, standing: Standing, held: IDBOpenDBRequest) => void;
}

export interface PageEngine {
  /** Loads local/open-otherwise.ts: not from here, for the worker has no parts that come later. */
  loadOtherwise: () => Promise<Otherwise>;
  /** Loads what keeps the rows in memory, once the browser's database has failed. */
  loadMemory: () => Promise<Engine>;
  /** From now on, until this page is closed, rows live in its memory only. */
  onTrouble: (why: Trouble) => void;
  /** The database was closed or deleted from outside; what was in it may be gone. */
  onLost: () => void;
}

/** What this page or worker has come to; only open-otherwise.ts changes `memory`. */
export interface Standing {
  page: PageEngine | null;
  memory: Engine | null;
}

const standing: Standing = {
  page: null,
  memory: null,
};

/** Pages only: a worker without the real database must fail, not act on an empty one. */
export function setPageEngine(page: PageEngine): void {
  standing.page = page;
}

/** Whether rows live in this page's memory only. */
export function isInMemory(): boolean {
  return standing.memory !== null;
}

function native(): Engine | null {
  try {
    const { indexedDB, IDBKeyRange } = globalThis;
    return indexedDB ? { indexedDB, IDBKeyRange } : null;
  } catch {
    // Reading the property is refused where storage is blocked.
    return null;
  }
}

function current(): Engine {
  const engine = standing.memory ?? native();
  if (!engine) throw new DOMException('There is no IndexedDB here.', 'NotSupportedError');
  return engine;
}

/** As Dexie wants a factory: `open` answers with a request. */
export const switchedFactory = {
  open: (name: string, version?: number) => new OpenRequest(name, version),
  databases: () => current().indexedDB.databases(),
};

/** Ranges must be of the same make as the database they are used in. */
export const switchedRanges = {
  only: (value: unknown) => current().IDBKeyRange.only(value),
  bound: (...args: Parameters<typeof IDBKeyRange.bound>) => current().IDBKeyRange.bound(...args),
  lowerBound: (...args: Parameters<typeof IDBKeyRange.lowerBound>) =>
    current().IDBKeyRange.lowerBound(...args),
  upperBound: (...args: Parameters<typeof IDBKeyRange.upperBound>) =>
    current().IDBKeyRange.upperBound(...args),
};

type Handler = ((event: unknown) => unknown) | null;

/**
 * A request to open a database that tries the browser first and, in a page, the memory after
 * it. Only the handlers that Dexie sets are called.
 */
export class OpenRequest {
  onsuccess: Handler = null;
  onerror: Handler = null;
  onblocked: Handler = null;
  onupgradeneeded: Handler = null;
  /** Another connection is in the way of an upgrade. */
  isHeld = false;
  readonly #name: string;
  readonly #version: number | undefined;
  #inner: IDBOpenDBRequest | null = null;

  constructor(name: string, version: number | undefined) {
    this.#name = name;
    this.#version = version;
    // The handlers are set right after this.
    queueMicrotask(() => this.start());
  }

  get result() {
    return this.#inner?.result;
  }

  get transaction() {
    return this.#inner?.transaction;
  }

  start(): void {
    try {
      // Without a version whatever is there would be opened: Dexie's way into the tables of a
      // newer app, whose rows this one may not understand.
      if (this.#version === undefined) throw new DOMException('', 'VersionError');
      this.#follow(current().indexedDB.open(this.#name, this.#version), standing.memory === null);
    } catch (error) {
      this.#otherwise(error);
    }
  }

  fail(error: unknown): void {
    this.onerror?.({ target: { error } });
  }

  #follow(request: IDBOpenDBRequest, isNative: boolean): void {
    this.#inner = request;
    request.onsuccess = (event) => {
      this.isHeld = false;
      if (isNative) watchForLoss(request.result);
      this.onsuccess?.(event);
    };
    request.onupgradeneeded = (event) => {
      this.isHeld = false;
      this.onupgradeneeded?.(event);
    };
    request.onerror = (event) => {
      this.isHeld = false;
      event.preventDefault();
      this.#otherwise(request.error);
    };
    request.onblocked = (event) => {
      this.isHeld = true;
      this.onblocked?.(event);
      void standing.page?.loadOtherwise().then(({ whenHeld }) => whenHeld(this, standing, request));
    };
  }

  #otherwise(error: unknown): void {
    if (!standing.page || standing.memory) this.fail(error);
    else {
      standing.page.loadOtherwise().then(
        ({ whenRefused }) => whenRefused(this, standing, error),
        // Neither a database nor a network: both may come back.
        () => setTimeout(() => this.start(), 1_000),
      );
    }
  }
}

function watchForLoss(database: IDBDatabase): void {
  database.addEventListener('close', () => standing.page?.onLost());
  database.addEventListener('versionchange', ({ newVersion }) => {
    if (newVersion === null) standing.page?.onLost();
  });
}
