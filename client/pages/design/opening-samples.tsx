import { type CSSProperties, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { SealOpening } from '../../components/capsule-seal.tsx';
import { Card } from '../../components/card.tsx';
import { RefreshCw } from '../../components/icon.tsx';
import styles from './design-page.module.css';

/** Milliseconds into the opening, and what is to be seen there. */
const MOMENTS = [
  [0, 'Shut'],
  [480, 'The hasp lifts'],
  [1_000, 'The patina comes'],
  [1_150, 'and spreads'],
  [1_800, 'Open'],
] as const;

/** The moment a capsule opens, as it moves and as it stands at moments of it. */
export function OpeningSamples() {
  const [shown, setShown] = useState(0);
  return (
    <div className={styles.stack}>
      <Card title="The opening, moment by moment">
        <div className={styles.row}>
          {MOMENTS.map(([at, words]) => (
            <figure key={at} className={styles.moment} style={frozenAt(at)}>
              <SealOpening id="opened" years={5} day="2026-03-12" size={160} />
              <figcaption>
                <span className="stamp">{at} ms</span> {words}
              </figcaption>
            </figure>
          ))}
        </div>
      </Card>
      <Card
        title="The opening"
        action={
          <Button
            icon={<RefreshCw size={18} aria-hidden="true" />}
            onClick={() => setShown(shown + 1)}
          >
            Once more
          </Button>
        }
      >
        <SealOpening key={shown} id="opened" years={5} day="2026-03-12" size={160} />
      </Card>
    </div>
  );
}

function frozenAt(ms: number): CSSProperties {
  return { '--seal-at': `${ms}ms`, '--seal-play': 'paused' } as CSSProperties;
}
