import { getSiteLimits } from '../../shared/api/site.ts';
import { call } from '../http/call.ts';
import type { LimitsRow } from '../local/db.ts';
import { writeLimits } from '../local/limits.ts';
import { kept } from './refresh.ts';

/** Asks what this server allows, as sync/refresh.ts asks for the rest. @throws {CallError} */
export async function refreshLimits(owner: string, signal: AbortSignal): Promise<LimitsRow | null> {
  const limits = await call(getSiteLimits, { signal });
  const fetchedAt = Date.now();
  return kept(writeLimits(owner, limits, fetchedAt), { owner, limits, fetchedAt });
}
