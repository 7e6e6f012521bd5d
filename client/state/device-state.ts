import type { Trouble } from '../local/engine.ts';
import { createExternalStore } from './external-store.ts';

export interface DeviceState {
  /** Why nothing is kept on this device; null while everything is. */
  trouble: Trouble | null;
  /** How often the database was taken away under this page. */
  losses: number;
}

/** What this page knows about the device's database; without the database itself, for any page. */
export const deviceState = createExternalStore<DeviceState>({ trouble: null, losses: 0 });
