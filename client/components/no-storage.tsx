import { Button } from './button.tsx';

/** Why the database of this page cannot be opened, as `db/database` says it. */
type Why = 'newer' | 'held' | 'unavailable';

const WORDS: Record<Why, string> = {
  newer: 'A newer version of Time Capsule is in use on this device. Please reload.',
  held: 'An older version of Time Capsule is open in another tab. Close that tab, then reload this one.',
  unavailable:
    "This browser won't let Time Capsule save anything, so nothing you write here would be safe. Open it in an ordinary window, or in another browser.",
};

/** In place of a page whose database cannot be opened: what is written must not live in a page alone. */
export function NoStorage({ why }: { why: Why }) {
  return (
    <>
      <h1 tabIndex={-1}>Nothing can be saved here</h1>
      <p>{WORDS[why]}</p>
      {why !== 'unavailable' && (
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      )}
    </>
  );
}
