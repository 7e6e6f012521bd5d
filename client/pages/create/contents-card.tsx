import { useState } from 'react';
import type { SiteLimits } from '../../../shared/api/site.ts';
import { Tabs } from '../../components/tabs.tsx';
import type { DraftHandle } from '../../hooks/draft-form.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { FilePicker } from '../contents/file-picker.tsx';
import { Letter } from '../contents/letter.tsx';

type ContentTab = 'message' | 'content';

interface ContentsCardProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  limits: SiteLimits | null;
  errors: Record<string, string>;
  /** How often the draft was refused. */
  refusals: number;
  onMessage: (message: string) => void;
  /** Called before files are added or removed. */
  onFiles: () => void;
}

/** Letter and files, which stay hidden until the capsule opens. */
export function ContentsCard(props: ContentsCardProps) {
  const { handle, files, limits, errors, refusals, onMessage, onFiles } = props;
  const [chosen, setTab] = useState<ContentTab | null>(null);
  // Files without a letter show themselves, until the person chooses a tab.
  const isFilesOnly = files.length > 0 && handle.draft.fields.personalMessage === '';
  const tab = chosen ?? (isFilesOnly ? 'content' : 'message');
  const toShow = errors.files ? 'content' : errors.personalMessage ? 'message' : null;

  // Each refusal shows the tab that has the error.
  const [shown, setShown] = useState<{ toShow: ContentTab | null; refusals: number }>();
  if (shown?.toShow !== toShow || shown.refusals !== refusals) {
    setShown({ toShow, refusals });
    if (toShow) setTab(toShow);
  }

  return (
    <section aria-label="Contents">
      <Tabs<ContentTab>
        label="Contents"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'message',
            label: 'Message',
            panel: (
              <Letter
                label="Personal Message"
                name="personalMessage"
                to={handle.draft.fields.recipients}
                prompt="Write a personal message to be revealed when the capsule unlocks..."
                value={handle.draft.fields.personalMessage}
                readOnly={handle.isInOtherTab}
                error={errors.personalMessage}
                onChange={onMessage}
              />
            ),
          },
          {
            value: 'content',
            label: 'Content',
            panel: (
              <FilePicker
                rowId={handle.draft.id}
                handle={handle}
                isForAccount={!handle.draft.onlyHere}
                isOnServer={handle.draft.account !== undefined}
                files={files}
                limits={limits}
                error={errors.files}
                onFiles={onFiles}
              />
            ),
          },
        ]}
      />
    </section>
  );
}
