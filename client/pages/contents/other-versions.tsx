import { useId, useState } from 'react';
import type { OtherVersion } from '../../../shared/api/drafts.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { confirm } from '../../components/confirm.tsx';
import { versionKey } from '../../db/merge-draft.ts';
import { useNow } from '../../hooks/use-now.ts';
import { versionTitle } from '../draft-words.ts';
import { focusHeading } from '../focus.ts';
import { shortened } from '../format.ts';
import styles from './other-versions.module.css';

interface OtherVersionsProps {
  versions: readonly OtherVersion[];
  /** What the title is called here. */
  title?: string;
  onTake: (version: OtherVersion) => void;
  onLetGo: (version: OtherVersion) => void;
}

/** What was written in the same fields on another device, until the person says which words count. */
export function OtherVersions(props: OtherVersionsProps) {
  const { versions, title = 'Title', onTake, onLetGo } = props;
  const now = useNow();
  const [isSwapped, setSwapped] = useState(false);

  const take = (version: OtherVersion) => {
    onTake(version);
    setSwapped(true);
  };
  const letGo = async (version: OtherVersion) => {
    const text = "Its words are deleted. You can't undo this.";
    const options = { danger: true, yes: 'Let it go' };
    if (!(await confirm('Let this version go?', text, options))) return;
    onLetGo(version);
    if (versions.length === 1) requestAnimationFrame(focusHeading);
  };

  return (
    <div className={`stack gap-12 ${styles.box}`} data-empty={versions.length === 0 || undefined}>
      <p role="status">
        {versions.length > 0 &&
          (isSwapped
            ? 'The two have changed places. Nothing is lost.'
            : 'This draft was changed in two places. Both versions are saved, and you choose which one goes into the capsule.')}
      </p>
      {versions.map((version) => (
        <Card
          key={versionKey(version)}
          title={<span data-focus-home>{versionTitle(version, now)}</span>}
        >
          <dl className={`stack gap-12 ${styles.texts}`}>
            {NAMES.map(([name, label = title]) => {
              const text = version.fields[name];
              return text === undefined ? null : <Text key={name} label={label} text={text} />;
            })}
          </dl>
          <div className={`cluster gap-8 ${styles.actions}`}>
            <Button onClick={() => take(version)}>Use this one</Button>
            <Button variant="quiet" onClick={() => void letGo(version)}>
              Let it go
            </Button>
          </div>
        </Card>
      ))}
    </div>
  );
}

const NAMES = [['title'], ['description', 'Description'], ['personalMessage', 'Letter']] as const;

/** A longer text is shown from its beginning, and whole once it is asked for. */
const SHOWN_MAX = 320;

function Text({ label, text }: { label: string; text: string }) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_MAX;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <div id={id} className={`measure serif verbatim breaks ${styles.text}`} dir="auto">
          {isWhole ? text : shortened(text, SHOWN_MAX)}
        </div>
        {isLong && (
          <Button
            variant="quiet"
            aria-expanded={isWhole}
            aria-controls={id}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Show less' : 'Read all of it'}
          </Button>
        )}
      </dd>
    </div>
  );
}
