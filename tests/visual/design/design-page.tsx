import { useState } from 'react';
import { Avatar } from '../../../client/components/avatar.tsx';
import { Card } from '../../../client/components/card.tsx';
import * as icons from '../../../client/components/icon.tsx';
import { Meter } from '../../../client/components/progress-bar.tsx';
import { LogoMark } from '../../../client/components/seal.tsx';
import { Tabs } from '../../../client/components/tabs.tsx';
import { FileIcon } from '../../../client/pages/file-icon.tsx';
import { ActionSamples, FieldSamples, MessageSamples } from './control-samples.tsx';
import styles from './design-page.module.css';
import { OpeningSamples, SealSamples } from './seal-samples.tsx';

type Part = 'seals' | 'opening' | 'type' | 'actions' | 'fields' | 'messages';

/** Each component in each state: a page of these tests alone. */
export function DesignPage() {
  const [part, setPart] = useState<Part>('seals');
  return (
    <main className={styles.page}>
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
    </main>
  );
}

const FILES = ['lake.jpg', 'steps.mp4', 'letter.pdf', 'notes.txt'];
/** An address that answers with no image: the initial stands in. */
const NO_IMAGE = '/uploads/none';

function TypeSamples() {
  return (
    <div className={styles.stack}>
      <Card title="Type">
        <div className={styles.stack}>
          <h1>Heading of a page</h1>
          <h2>Heading of a card</h2>
          <h3>Heading within a card</h3>
          <p>
            The interface speaks in Atkinson Hyperlegible Next, with{' '}
            <a href="#type">links like this one</a>, and sets dates like a stamp:{' '}
            <span className="stamp">12 March 2031 · 0.58 KB</span>.
          </p>
          <p className={styles.letter}>
            Letters are read in Literata: Keep the photographs. Keep the plum stone, too; it is from
            the tree you fell out of.
          </p>
        </div>
      </Card>
      <Card title="Marks">
        <div className={styles.row}>
          <LogoMark />
          {[72, 40].map((size) => (
            <Avatar key={size} avatar="A" name="Ada" size={size} />
          ))}
          <Avatar avatar={NO_IMAGE} name="Grace" size={40} />
          {FILES.map((name) => (
            <FileIcon key={name} fileName={name} />
          ))}
        </div>
      </Card>
      <Card title="Icons">
        <div className={styles.row}>
          {Object.entries(icons).map(([name, Icon]) => (
            <Icon key={name} size={22} aria-label={name} />
          ))}
        </div>
      </Card>
      <Card title="Meters">
        <div className={styles.narrow}>
          <Meter label="Nothing yet" percent={0} />
          <Meter label="Half full" percent={56} />
          <Meter label="Nearly full" percent={97} isNearlyFull />
        </div>
      </Card>
    </div>
  );
}
