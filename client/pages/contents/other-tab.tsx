import { Button } from '../../components/button.tsx';

interface OtherTabProps {
  handle: { isElsewhere: boolean; goOnHere: () => void };
}

/** In the tab that does not write in the draft: its words can be read. */
export function OtherTab({ handle }: OtherTabProps) {
  return (
    <div role="status">
      {handle.isElsewhere && (
        <p className="row gap-12">
          Open in another tab.
          <Button onClick={handle.goOnHere}>Go on here</Button>
        </p>
      )}
    </div>
  );
}
