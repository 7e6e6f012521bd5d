import { useEffect, useState } from 'react';
import type { Capsule } from '../../shared/api/capsules.ts';
import { listNotices, type Notice } from '../../shared/api/notices.ts';
import { call } from '../http/call.ts';
import { AFTER_PICTURE_MS } from './use-kept.ts';

const NONE: Notice[] = [];

/**
 * What became of the mails about a capsule, for its creator. Nothing while the answer is on its
 * way, without a connection, and for everybody else: it is never kept on the device.
 */
export function useNotices({ id, type }: Pick<Capsule, 'id' | 'type'>): Notice[] {
  const [answer, setAnswer] = useState<{ id: string; notices: Notice[] } | null>(null);

  useEffect(() => {
    if (type !== 'created') return;
    const controller = new AbortController();
    // It comes beside what the person looks at, and after it; without it nothing is missing there.
    const timer = setTimeout(() => {
      call(listNotices, { params: { id }, signal: controller.signal }).then(
        ({ notices }) => setAnswer({ id, notices }),
        () => undefined,
      );
    }, AFTER_PICTURE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, type]);

  return answer?.id === id ? answer.notices : NONE;
}
