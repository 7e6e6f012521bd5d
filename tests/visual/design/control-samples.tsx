import { useState } from 'react';
import { Avatar } from '../../../client/components/avatar.tsx';
import { Banner } from '../../../client/components/banner.tsx';
import { Button, ButtonLink, type ButtonVariant } from '../../../client/components/button.tsx';
import { Card } from '../../../client/components/card.tsx';
import { confirm } from '../../../client/components/confirm.tsx';
import { DateField } from '../../../client/components/date-field.tsx';
import { Dialog } from '../../../client/components/dialog.tsx';
import { EmptyState } from '../../../client/components/empty-state.tsx';
import { PasswordField, TextArea, TextField } from '../../../client/components/field.tsx';
import { LogOut, Plus, User } from '../../../client/components/icon.tsx';
import { Menu } from '../../../client/components/menu.tsx';
import { Pager } from '../../../client/components/pager.tsx';
import { ProgressBar } from '../../../client/components/progress-bar.tsx';
import { Spinner } from '../../../client/components/spinner.tsx';
import { Switch } from '../../../client/components/switch.tsx';
import { toasts } from '../../../client/components/toast.tsx';
import { addDays, type Day, dayAt } from '../../../shared/day.ts';
import styles from './design-page.module.css';

const VARIANTS: readonly ButtonVariant[] = ['primary', 'secondary', 'quiet', 'danger'];

export function ActionSamples() {
  const [open, setOpen] = useState(false);
  const [page, setPage] = useState(5);
  return (
    <div className={styles.stack}>
      <Card title="Buttons" id="buttons">
        <div className={styles.stack}>
          {VARIANTS.map((variant) => (
            <div key={variant} className={styles.row}>
              <Button variant={variant}>{variant}</Button>
              <Button variant={variant} icon={Plus}>
                with icon
              </Button>
              <Button variant={variant} busy busyLabel="Saving…">
                Save
              </Button>
              <Button variant={variant} disabled>
                disabled
              </Button>
              <ButtonLink variant={variant} to="/design.html">
                link
              </ButtonLink>
            </div>
          ))}
        </div>
      </Card>
      <Card title="Overlays">
        <div className={styles.row}>
          <Button onClick={() => setOpen(true)}>Dialog</Button>
          <Button onClick={() => confirm('Sign out?', 'Are you sure you want to logout?')}>
            Confirm
          </Button>
          <Button
            onClick={() =>
              confirm(
                'Delete this capsule?',
                'Are you sure you want to delete this capsule? This action cannot be undone.',
                { danger: true },
              )
            }
          >
            Confirm danger
          </Button>
          <Button onClick={() => toasts.success('Time capsule created successfully!')}>
            Success
          </Button>
          <Button onClick={() => toasts.failure('Failed to download file. Please try again.')}>
            Failure
          </Button>
          <Button
            onClick={() =>
              toasts.offer('A new version is ready.', { label: 'Update', run: () => undefined })
            }
          >
            Offer
          </Button>
          <Menu
            label="Profile menu"
            trigger={<Avatar avatar="A" name="Ada" />}
            items={[
              {
                label: 'Profile',
                icon: User,
                onSelect: () => undefined,
              },
              {
                label: 'Logout',
                icon: LogOut,
                onSelect: () => undefined,
              },
            ]}
          />
        </div>
      </Card>
      <Card title="Pager">
        <Pager
          pagination={{ currentPage: page, totalPages: 12, itemsPerPage: 6, totalItems: 70 }}
          onPage={setPage}
        />
      </Card>
      {open && (
        <Dialog
          size="large"
          title="Letters from the lake, 2019"
          onClose={() => setOpen(false)}
          footer={<Button onClick={() => setOpen(false)}>Close</Button>}
        >
          <p>This capsule is still locked. Come back on 12 March 2031 to view its contents.</p>
        </Dialog>
      )}
    </div>
  );
}

export function FieldSamples() {
  const [text, setText] = useState('Ada Lovelace');
  const [bio, setBio] = useState('Writes letters to engines that do not exist yet.');
  const [password, setPassword] = useState('correct horse');
  const [on, setOn] = useState(true);
  const [day, setDay] = useState<Day | ''>('');
  const today = dayAt(Date.now(), 'UTC');
  return (
    <Card title="Fields">
      <div className={styles.narrow}>
        <TextField
          label="Name"
          value={text}
          onChange={(event) => setText(event.target.value)}
          max={50}
        />
        <TextField
          label="Email"
          value="ada@"
          readOnly={false}
          onChange={() => undefined}
          error="Please enter a valid email"
          hint="We never show it to strangers."
        />
        <TextField
          label="Email"
          value="ada@example.com"
          readOnly
          hint="Email address cannot be changed from this page"
        />
        <TextArea
          label="Bio"
          value={bio}
          onChange={(event) => setBio(event.target.value)}
          max={50}
        />
        <TextField label="Out of use" value="Not now" disabled onChange={() => undefined} />
        <TextField
          label="Nothing yet"
          value=""
          placeholder="A word or two"
          onChange={() => undefined}
        />
        <PasswordField
          label="Password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Switch
          label="Notify recipients that a capsule is waiting for them"
          checked={on}
          onChange={setOn}
        />
        <Switch label="Off" checked={!on} onChange={(checked) => setOn(!checked)} />
        <DateField
          label="Unlock Date"
          value={day}
          onChange={setDay}
          today={today}
          min={addDays(today, 1)}
          error={day ? null : 'Please choose an unlock date'}
        />
      </div>
    </Card>
  );
}

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
          <ProgressBar label="Uploading" percent={percent} />
          <Button onClick={() => setPercent((percent + 15) % 115)}>Further</Button>
        </div>
      </Card>
    </div>
  );
}
