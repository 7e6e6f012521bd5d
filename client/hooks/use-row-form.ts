import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { deviceState } from './device-state.ts';
import type { RowState } from './row-form.ts';
import { type ExternalStore, useExternalStore } from './store.ts';

/** A form and its row: restored, saved with every change, and followed when others write in it. */
export function useRowForm<Row>(
  form: {
    store: ExternalStore<RowState<Row>>;
    onRow: (row: Row | null) => void;
    open: () => () => void;
  },
  read: () => Promise<Row | null>,
): RowState<Row> {
  const { losses } = useExternalStore(deviceState);
  const row = useLiveQuery(read, [form, losses]);
  useEffect(() => form.open(), [form]);
  useEffect(() => {
    if (row !== undefined) form.onRow(row);
  }, [form, row]);
  return useExternalStore(form.store);
}
