import { useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import styles from './design-page.module.css';

export function MessageSamples() {
  const [error, setError] = useState<string | null>('Network Error');
  const [percent, setPercent] = useState(30);
  return (
    <div className={styles.stack}>
      <Banner message={error} onDismiss={() => setError(null)} />
      <EmptyState
        sentence="You have not sealed a capsule yet."
        action={<Button variant="primary">Create New Capsule</Button>}
      />
      <EmptyState sentence="No capsules match “dinosaur”." />
      <Card title="A card" action={<Button variant="quiet">Its action</Button>}>
        <p>With a title, and something to do beside it.</p>
      </Card>
      <Card>
        <p>And one without.</p>
      </Card>
      <Card title="Waiting">
        <Spinner label="Loading capsules..." />
        <div className={styles.stack}>
          <Skeleton width="60%" height="1.5rem" />
          <Skeleton />
          <Skeleton width="4rem" height="4rem" round />
          <ProgressBar label="Uploading" percent={percent} />
          <Button onClick={() => setPercent((percent + 15) % 115)}>Further</Button>
        </div>
      </Card>
    </div>
  );
}
