import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { vi } from 'vitest';

// Files of the device's tests share a process, which starts sooner than one for each. What the file
// before has left in modules, in globals and in its databases is not there for the next one.
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
const indexedDB = new IDBFactory();
Object.assign(globalThis, { indexedDB });
Dexie.dependencies = { indexedDB, IDBKeyRange };
