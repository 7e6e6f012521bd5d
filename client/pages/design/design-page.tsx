import { useState } from 'react';
import { Tabs } from '../../components/tabs.tsx';
import { ActionSamples } from './action-samples.tsx';
import styles from './design-page.module.css';
import { FieldSamples } from './field-samples.tsx';
import { MessageSamples } from './message-samples.tsx';
import { OpeningSamples } from './opening-samples.tsx';
import { SealSamples } from './seal-samples.tsx';
import { TypeSamples } from './type-samples.tsx';

type Part = 'seals' | 'opening' | 'type' | 'actions' | 'fields' | 'messages';

/** Each component in each state; served only while the app is worked on. */
export function DesignPage() {
  const [part, setPart] = useState<Part>('seals');
  return (
    <div className={styles.page}>
      <h1>Design</h1>
      <Tabs<Part>
        label="Parts of the design system"
        value={part}
        onChange={setPart}
        tabs={[
          { value: 'seals', label: 'Seals', panel: <SealSamples /> },
          { value: 'opening', label: 'Opening', panel: <OpeningSamples /> },
          { value: 'type', label: 'Type', panel: <TypeSamples /> },
          { value: 'actions', label: 'Actions', panel: <ActionSamples /> },
          { value: 'fields', label: 'Fields', panel: <FieldSamples /> },
          { value: 'messages', label: 'Messages', panel: <MessageSamples /> },
        ]}
      />
    </div>
  );
}
