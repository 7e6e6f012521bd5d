import type { StorageTrouble } from '../db/database.ts';
import { createExternalStore } from './external-store.ts';

export interface DeviceState {
  /** Why nothing is stored on this device; null while everything is. */
  trouble: StorageTrouble | null;
  /** How often the browser has deleted the database under this page. */
  losses: number;
}

/** What this page knows about the device's database; without the database itself, for any page. */
export const deviceState = createExternalStore<DeviceState>({ trouble: null, losses: 0 });
