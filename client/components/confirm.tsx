import { flushSync } from 'react-dom';
import { ask } from './ask.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/**
 * Asks in a modal alert dialog with OK and Cancel; true for OK.
 * `danger` colours OK where it destroys something; `careful`, where Enter should not be OK; `yes` and `no`
 * rename the buttons; `more` stands below the text; `other` is a third button: it answers false, then runs.
 * @param title the question itself @param text what the answer does
 */
export function confirm(
  title: string,
  text: string,
  {
    danger = false,
    careful = false,
    yes = 'OK',
    no = 'Cancel',
    more = '',
    other = null as { label: string; run: () => void } | null,
  } = {},
): Promise<boolean> {
  const isCareful = danger || careful;
  return ask((answer) => (
    <Dialog
      role="alertdialog"
      size="small"
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button autoFocus={isCareful && !other} onClick={() => answer(false)}>
            {no}
          </Button>
          {other && (
            <Button
              autoFocus
              onClick={() => {
                // The focus has gone back to the page.
                flushSync(() => answer(false));
                other.run();
              }}
            >
              {other.label}
            </Button>
          )}
          <Button
            autoFocus={!isCareful && !other}
            variant={danger ? 'danger' : 'primary'}
            onClick={() => answer(true)}
          >
            {yes}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {more !== '' && <p>{more}</p>}
    </Dialog>
  ));
}
