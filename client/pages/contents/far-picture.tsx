import { useState } from 'react';
import { downloadDraftFile } from '../../../shared/api/drafts.ts';
import { addressOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import styles from './file-picker.module.css';

interface FarPictureProps {
  draftId: string;
  file: Pick<ShownFile, 'id' | 'name'>;
}

/** An image that was added on another device. It may be large, so it is fetched when it is asked for. */
export function FarPicture({ draftId: id, file: { id: fileId, name } }: FarPictureProps) {
  const [state, setState] = useState<'there' | 'shown' | 'failed'>('there');
  return (
    <>
      {state === 'shown' ? (
        <img
          className={`sunken ${styles.far}`}
          src={addressOf(downloadDraftFile, { params: { id, fileId } })}
          alt={name}
          onError={() => setState('failed')}
        />
      ) : (
        <Button
          className={styles.show}
          aria-label={`Show ${name}`}
          onClick={() => setState('shown')}
        >
          Show
        </Button>
      )}
      <span role="status" className="quiet small">
        {state === 'failed' && "We couldn't show it here. It's in the draft all the same."}
      </span>
    </>
  );
}
