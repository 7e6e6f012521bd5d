import { useEffect, useState } from 'react';
import { fetchDraftFile } from '../../api/download.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import styles from './file-picker.module.css';

interface FarPictureProps {
  draftId: string;
  file: Pick<ShownFile, 'id' | 'name'>;
}

/** An image that was added on another device. It may be large, so it is fetched when it is asked for. */
export function FarPicture({ draftId, file: { id, name } }: FarPictureProps) {
  const [isWanted, setWanted] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    let made: string | null = null;
    const show = async () => {
      try {
        made = URL.createObjectURL(await fetchDraftFile(draftId, id, leaving.signal));
        setAddress(made);
      } catch (error) {
        if (leaving.signal.aborted) return;
        setFailure(isConnectionError(error) ? UNREACHABLE : FAILED);
        setWanted(false);
      }
    };
    void show();
    return () => {
      leaving.abort();
      setAddress(null);
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [isWanted, draftId, id]);

  return (
    <>
      {address !== null ? (
        <img
          className={`sunken ${styles.far}`}
          src={address}
          alt={name}
          onError={() => {
            setFailure(UNKNOWN);
            setWanted(false);
          }}
        />
      ) : (
        <Button
          className={styles.show}
          busy={isWanted}
          aria-label={`Show ${name}`}
          onClick={() => {
            setFailure('');
            setWanted(true);
          }}
        >
          Show
        </Button>
      )}
      <span role="status" className="quiet small">
        {failure}
      </span>
    </>
  );
}

const UNREACHABLE = 'You need a connection to see it.';
const FAILED = "We couldn't fetch it. Please try again.";
const UNKNOWN = "Your browser can't show it. It's in the draft all the same.";
