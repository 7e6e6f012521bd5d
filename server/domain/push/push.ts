import { ECDH } from 'node:crypto';
import type { PushSubscriptionBody } from '../../../shared/api/push.ts';
import { PUSH_BODY, PUSH_TITLE, type PushPayload } from '../../../shared/push-payload.ts';
import { AppError, fieldError } from '../../app-error.ts';
import type { Actor, ActorInSession } from '../../auth/sessions.ts';
import * as rows from '../../db/push/push.ts';
import type { Deps } from '../../deps.ts';
import { isPushEndpoint } from '../../push/endpoint.ts';
import type { PushKeys } from '../../push/push-sender.ts';

/** Far more than the browsers one person uses. */
export const SUBSCRIPTIONS_MAX = 10;

export async function findPushKeys({
  config,
  db,
  push,
}: Pick<Deps, 'config' | 'db' | 'push'>): Promise<PushKeys> {
  return config.vapidKeys ?? rows.findPushKeys(db, push.createKeys);
}

/**
 * @throws VALIDATION_FAILED when the endpoint is at no push service, UNAUTHENTICATED when the session
 * has ended meanwhile
 */
export async function saveSubscription(
  { config, db, clock, ids }: Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>,
  { userId, sessionId }: ActorInSession,
  { endpoint, keys }: PushSubscriptionBody,
): Promise<void> {
  if (!isPushEndpoint(endpoint, config.pushHosts)) {
    throw fieldError('endpoint', "This server doesn't know your browser's push service.");
  }
  if (!isOnCurve(keys.p256dh)) throw fieldError('keys', "Your browser's key isn't valid.");
  const row = { id: ids.uuid(), userId, sessionId, endpoint, ...keys, now: clock.now() };
  const isSaved = await rows.saveSubscription(db, row, SUBSCRIPTIONS_MAX);
  if (!isSaved) throw new AppError('UNAUTHENTICATED');
}

export async function removeSubscription(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
  { endpoint }: { endpoint: string },
): Promise<void> {
  await rows.removeSubscription(db, { userId, endpoint });
}

/** No message could be encrypted for another one. */
function isOnCurve(point: string): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

/**
 * What a browser shows. Neither a title nor a name: it may stand on a locked screen, and the push
 * service is somebody else's.
 */
export function pushPayload({ appUrl }: Pick<Deps['config'], 'appUrl'>, capsules: number): string {
  const payload: PushPayload = {
    web_push: 8030,
    notification: {
      title: capsules === 1 ? PUSH_TITLE : `${capsules} capsules have opened`,
      body: PUSH_BODY,
      lang: 'en',
      dir: 'ltr',
      tag: 'opened',
      navigate: `${appUrl}/dashboard`,
      icon: `${appUrl}/icon-192.png`,
    },
  };
  return JSON.stringify(payload);
}
