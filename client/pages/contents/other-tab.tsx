import { Button } from '../../components/button.tsx';

/** In the tab that does not write in it: its words can be read. */
export function OtherTab({ handle }: { handle: { isInOtherTab: boolean; goOnHere: () => void } }) {
  return (
    <div role="status">
      {handle.isInOtherTab && (
        <p className="row gap-12">
          Open in another tab.
          <Button onClick={handle.goOnHere}>Go on here</Button>
        </p>
      )}
    </div>
  );
}
