import { useState } from 'react';
import { MESSAGE_MAX } from '../../../shared/limits.ts';
import { Card } from '../../components/card.tsx';
import { TextArea } from '../../components/field.tsx';
import { Tabs } from '../../components/tabs.tsx';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import type { DraftHandle } from '../../hooks/use-draft.ts';
import { FilePicker } from './file-picker.tsx';

type ContentTab = 'content' | 'message';

interface ContentsCardProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  errors: Record<string, string>;
  /** How often the draft was refused. */
  refusals: number;
  onMessage: (message: string) => void;
  /** Called before files are added or removed. */
  onFiles: () => void;
}

/** Files and message, which stay hidden until the capsule opens. */
export function ContentsCard(props: ContentsCardProps) {
  const { handle, files, errors, refusals, onMessage, onFiles } = props;
  const [tab, setTab] = useState<ContentTab>('content');
  const toShow = errors.files ? 'content' : errors.personalMessage ? 'message' : null;

  // Each refusal shows the tab that has the error.
  const [shown, setShown] = useState<{ toShow: ContentTab | null; refusals: number }>();
  if (shown?.toShow !== toShow || shown.refusals !== refusals) {
    setShown({ toShow, refusals });
    if (toShow) setTab(toShow);
  }

  return (
    <Card title="Contents">
      <Tabs<ContentTab>
        label="Contents"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'content',
            label: 'Content',
            panel: (
              <FilePicker handle={handle} files={files} error={errors.files} onFiles={onFiles} />
            ),
          },
          {
            value: 'message',
            label: 'Message',
            panel: (
              <TextArea
                label="Personal Message"
                name="personalMessage"
                placeholder="Write a personal message to be revealed when the capsule unlocks..."
                rows={8}
                max={MESSAGE_MAX}
                mayPass
                value={handle.draft.fields.personalMessage}
                error={errors.personalMessage}
                onChange={(event) => onMessage(event.target.value)}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
