import { useState } from 'react';
import { Badge, type BadgeTone } from '../../../client/components/badge.tsx';
import { Button } from '../../../client/components/button.tsx';
import { SealOpening } from '../../../client/components/capsule-seal.tsx';
import { Card } from '../../../client/components/card.tsx';
import { Lock, RefreshCw } from '../../../client/components/icon.tsx';
import { Seal } from '../../../client/components/seal.tsx';
import type { SealSize } from '../../../shared/seal-geometry.ts';
import styles from './design-page.module.css';

const SIZES: readonly SealSize[] = [160, 72, 40];
const WAITS = [
  { id: 'spring', years: 1, progress: 30 },
  { id: 'school', years: 3, progress: 50 },
  { id: 'wedding', years: 7, progress: 80 },
  { id: 'daughter', years: 12, progress: 8 },
];
const TONES: readonly BadgeTone[] = ['quiet', 'red', 'orange', 'yellow', 'indigo'];
const COLOURS = [
  'bg',
  'surface',
  'sunk',
  'ink',
  'ink-2',
  'copper',
  'verdigris',
  'line',
  'hairline',
];

export function SealSamples() {
  return (
    <div className={styles.stack}>
      {SIZES.map((size) => (
        <Card key={size} title={`Seals of ${size}`}>
          <div className={styles.row}>
            {WAITS.map((wait) => (
              <Seal key={wait.id} {...wait} locked day="2031-03-12" size={size} />
            ))}
            <Seal
              id="opened"
              years={5}
              progress={100}
              locked={false}
              day="2026-03-12"
              size={size}
            />
          </div>
        </Card>
      ))}
      <Card title="Badges">
        <div className={styles.row}>
          <Badge>
            <Lock size={14} /> Locked
          </Badge>
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Card>
      <Card title="Colours">
        <div className={styles.row}>
          {COLOURS.map((colour) => (
            <div key={colour} className={styles.swatch}>
              <span style={{ background: `var(--${colour})` }} />
              {colour}
            </div>
          ))}
        </div>
      </Card>
    </div>
  );
}

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
            <figure key={at} className={styles.moment} ref={frozenAt(at)}>
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
          <Button icon={RefreshCw} onClick={() => setShown(shown + 1)}>
            Once more
          </Button>
        }
      >
        <SealOpening key={shown} id="opened" years={5} day="2026-03-12" size={160} />
      </Card>
    </div>
  );
}

/** Stops all animations within an element at this moment of theirs. */
function frozenAt(ms: number) {
  return (figure: HTMLElement | null) => {
    for (const animation of figure?.getAnimations({ subtree: true }) ?? []) {
      animation.pause();
      animation.currentTime = ms;
    }
  };
}
