import { useLiveQuery } from 'dexie-react-hooks';
import { restoreCapsule } from '../../shared/api/bin.ts';
import {
  type Capsule,
  type CapsulePage,
  type CapsuleType,
  type DashboardSummary,
  deleteCapsule,
  getCapsule,
  getDashboardSummary,
  listCreated,
  listReceived,
  setHidden,
} from '../../shared/api/capsules.ts';
import {
  listNotices,
  type Notice,
  type SentNotices,
  sendNoticeAgain,
} from '../../shared/api/notices.ts';
import { tellRead } from '../../shared/api/opened.ts';
import { getSiteLimits, type SiteLimits } from '../../shared/api/site.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { call } from '../api/client.ts';
import { isAnswerOf, isConnectionError, orGone } from '../api/errors.ts';
import {
  capsuleKey,
  forgetCapsule,
  LIMITS_KEY,
  type ListRequest,
  listKey,
  readCapsule,
  revalidate,
  searchCached,
  summaryKey,
} from '../db/cache.ts';
import { useOnline } from './device-state.ts';
import { ownTimeZone } from './use-now.ts';
import { useQuery } from './use-query.ts';
import { type Resource, useKey, useResource } from './use-resource.ts';

const LISTS = { created: listCreated, received: listReceived } satisfies Record<
  CapsuleType,
  unknown
>;

/** One page of a list. A search that cannot reach the server looks through what is cached. */
export function useCapsuleList(request: ListRequest): Resource<CapsulePage> {
  const { type, query, page, view, hidden } = request;
  const key = useKey(listKey(request));
  const list = useResource<CapsulePage>(key, (signal) => {
    const part = {
      ...(query !== '' && { query }),
      ...(view !== 'newest' && { view }),
      ...(hidden && { hidden: 'true' as const }),
    };
    return call(LISTS[type], { query: { page, limit: CAPSULES_PER_PAGE, ...part }, signal });
  });
  const online = useOnline();
  // A device with a network may still not reach the server.
  const isCutOff = query !== '' && (!online || isConnectionError(list.error));
  const found = useLiveQuery(
    async () => (isCutOff && key !== null ? searchCached(request) : null),
    [key, isCutOff],
  );
  if (!isCutOff || !found || list.data) return list;
  return { ...list, data: found.body, fetchedAt: found.fetchedAt, isLoading: false };
}

/** The details of one capsule; until they are known, what a list says of it. */
export function useCapsule(id: string): Resource<Capsule> {
  return useResource<Capsule>(
    useKey(capsuleKey(id)),
    async (signal) => {
      try {
        return await call(getCapsule, { params: { id }, signal });
      } catch (error) {
        if (isAnswerOf(error, 'CAPSULE_NOT_FOUND')) await forgetCapsule(id);
        throw error;
      }
    },
    () => readCapsule(id),
  );
}

/** The figures of the dashboard. Only those by month depend on the year. */
export function useSummary(year: number): Resource<DashboardSummary> {
  return useResource<DashboardSummary>(useKey(summaryKey(year)), (signal) =>
    call(getDashboardSummary, {
      query: { year, timeZone: ownTimeZone(), utcOffset: -new Date().getTimezoneOffset() },
      signal,
    }),
  );
}

/** This server's limits on files. */
export function useLimits(): Resource<SiteLimits> {
  return useResource<SiteLimits>(useKey(LIMITS_KEY), (signal) => call(getSiteLimits, { signal }));
}

/**
 * What became of the emails about a capsule, for its creator. Not cached: an old answer would be
 * read as the current one.
 */
export function useNotices({ id, type }: Pick<Capsule, 'id' | 'type'>): {
  sent: SentNotices;
  /** @throws {CallError} */
  sendAgain: (notice: Notice) => Promise<unknown>;
} {
  const { data, show } = useQuery(type === 'created' ? id : null, (signal) =>
    call(listNotices, { params: { id }, signal }),
  );
  return {
    sent: data ?? { notices: [] },
    sendAgain: async ({ id: noticeId }) =>
      show(await call(sendNoticeAgain, { params: { id, noticeId } })),
  };
}

/**
 * Says whether the sender may know the day on which this person has read a capsule.
 * @throws {CallError}
 */
export async function tellSender(id: string, tell: boolean): Promise<void> {
  await call(tellRead, {
    params: { id },
    body: { tell, timeZone: ownTimeZone(), utcOffset: -new Date().getTimezoneOffset() },
  });
  // The saved details would ask again.
  await revalidate(capsuleKey(id), () => call(getCapsule, { params: { id } })).catch(
    () => undefined,
  );
}

/** Puts a received capsule away or brings it back. @throws {CallError} */
export async function hideCapsule(id: string, hidden: boolean): Promise<void> {
  await call(setHidden, { params: { id }, body: { hidden } });
}

/** Deletes a capsule for everyone, into the bin, then from this device. @throws {CallError} */
export async function eraseCapsule(id: string): Promise<void> {
  await orGone(call(deleteCapsule, { params: { id }, body: undefined }), 'CAPSULE_NOT_FOUND');
  await forgetCapsule(id);
}

/** Brings a capsule back from the bin. @throws {CallError} */
export async function bringBack(id: string): Promise<void> {
  await call(restoreCapsule, { params: { id } });
}
