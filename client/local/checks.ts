/** What a value in a row should be. */
export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === 'string';
export const flag: Check = (value) => typeof value === 'boolean';
export const count: Check = (value) =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value);
/** The last millisecond a date can name. */
export const instant: Check = (value) => count(value) && Number(value) <= 8.64e15;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function shape(checks: Record<string, Check>): Check {
  return (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

export function either(...checks: Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

export const none: Check = (value) => value === null;
