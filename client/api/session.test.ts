import { beforeEach, expect, it, vi } from 'vitest';
import { LOGOUT_PATH } from '../../shared/api/endpoint.ts';
import { askServer, untilMayAsk, whileLeaving } from './session.ts';

const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response();
  });
});

/** Signs out while another call is begun. */
async function leave(fails: boolean) {
  let other: Promise<unknown> = Promise.resolve();
  const leaving = whileLeaving(async () => {
    other = askServer('/user/me', {}).catch((error: Error) => error.message);
    await askServer(LOGOUT_PATH, {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (fails) throw new Error('no connection');
  });
  await leaving.catch(() => undefined);
  return other;
}

it('makes no other call once a person has begun to sign out', async () => {
  expect(await leave(false)).toBe('The person has signed out.');
  expect(asked).toEqual([LOGOUT_PATH]);
  await askServer('/user/me', {});
  expect(asked).toEqual([LOGOUT_PATH, '/user/me']);
});

it('holds back what is not sent by fetch just the same', async () => {
  let other: Promise<unknown> = Promise.resolve();
  await whileLeaving(async () => {
    other = untilMayAsk().catch((error: Error) => error.message);
    await askServer(LOGOUT_PATH, {});
  });
  expect(await other).toBe('The person has signed out.');
});

it('goes on with it when they could not be signed out', async () => {
  expect(await leave(true)).toBeInstanceOf(Response);
  expect(asked).toEqual([LOGOUT_PATH, '/user/me']);
});
