import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { randomUuid } from '../../db/tables.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `?draft=ID` says which draft is written; without it a new one begins with the first change. */
export function useDraftAddress() {
  const [params, setParams] = useSearchParams();
  const [fresh, setFresh] = useState(randomUuid);
  const named = params.get('draft');
  useEffect(() => {
    // Begun: whoever leaves the query out again gets another one.
    if (named === fresh) setFresh(randomUuid());
  }, [named, fresh]);
  const [begun, setBegun] = useState<string | null>(null);
  const isNew = named === null || !UUID.test(named);
  return {
    id: isNew ? fresh : named,
    isNew,
    /** It began in this visit: what stood above it at first stays there while it is written. */
    beganHere: isNew || named === begun,
    /** The new draft has begun: a reload comes back to it. */
    begin: () => {
      if (!isNew) return;
      setBegun(fresh);
      setParams({ draft: fresh }, { replace: true });
    },
  };
}
