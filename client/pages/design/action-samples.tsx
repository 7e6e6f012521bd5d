import { useState } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { Button, ButtonLink, type ButtonVariant } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LogOut, Plus, User } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { Pager } from '../../components/pager.tsx';
import { toasts } from '../../components/toast.tsx';
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
              <Button variant={variant} icon={<Plus size={18} aria-hidden="true" />}>
                with icon
              </Button>
              <Button variant={variant} busy busyLabel="Saving…">
                Save
              </Button>
              <Button variant={variant} disabled>
                disabled
              </Button>
              <ButtonLink variant={variant} to="/design">
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
                icon: <User size={18} aria-hidden="true" />,
                onSelect: () => undefined,
              },
              {
                label: 'Logout',
                icon: <LogOut size={18} aria-hidden="true" />,
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
      <Dialog
        open={open}
        size="large"
        title="Letters from the lake, 2019"
        onClose={() => setOpen(false)}
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <p>This capsule is still locked. Come back on 12 March 2031 to view its contents.</p>
      </Dialog>
    </div>
  );
}
