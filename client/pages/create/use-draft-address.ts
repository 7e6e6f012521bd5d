import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { randomUuid } from '../../local/uuid.ts';

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
  const isNew = named === null || !UUID.test(named);
  return {
    id: isNew ? fresh : named,
    isNew,
    /** The new draft has begun: a reload comes back to it. */
    begin: () => {
      if (isNew) setParams({ draft: fresh }, { replace: true });
    },
  };
}
