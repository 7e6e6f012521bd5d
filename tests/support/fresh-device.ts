import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { vi } from 'vitest';

// Files of the device's tests share a process, which starts sooner than one for each. Modules, stubs and
// databases of the file before are not there for the next one. What it left running still is.
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
const indexedDB = new IDBFactory();
Object.assign(globalThis, { indexedDB });
Dexie.dependencies = { indexedDB, IDBKeyRange };
