import { useState } from 'react';
import { downloadDraftFile } from '../../../shared/api/drafts.ts';
import { SHOWN_IMAGES } from '../../../shared/file-types.ts';
import { addressOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { savesData } from '../../sync/saves-data.ts';
import styles from './file-picker.module.css';

interface FarPictureProps {
  draftId: string;
  file: Pick<ShownFile, 'id' | 'name' | 'type' | 'size'>;
}

/** A photo of this size comes by itself, at each visit: most browsers don't say where data costs something. */
const SMALL_BYTES = 500_000;

/** An image that was added on another device. A large one is fetched when it is asked for. */
export function FarPicture({ draftId: id, file }: FarPictureProps) {
  const { id: fileId, name, type, size } = file;
  const [state, setState] = useState<'by itself' | 'there' | 'shown' | 'failed'>(() =>
    size <= SMALL_BYTES && SHOWN_IMAGES.test(type) && navigator.onLine && !savesData()
      ? 'by itself'
      : 'there',
  );
  return (
    <>
      {state === 'by itself' || state === 'shown' ? (
        <img
          className={`sunken ${styles.far}`}
          src={addressOf(downloadDraftFile, { params: { id, fileId } })}
          alt={name}
          loading="lazy"
          onError={() => setState(state === 'shown' ? 'failed' : 'there')}
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
