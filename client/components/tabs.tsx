import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { arrowTarget } from './arrow-keys.ts';
import styles from './tabs.module.css';

interface TabItem<Value extends string> {
  value: Value;
  label: ReactNode;
  panel: ReactNode;
}

interface TabsProps<Value extends string> {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly TabItem<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** WAI-ARIA tabs: arrow keys, Home and End move and select. Hidden panels keep their state. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[arrowTarget(event, at, tabs.length, 'horizontal') ?? -1];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus();
  };
  return (
    <>
      <div className="row gap-24 line-below" role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}-tab`}
            className={`target quiet wakes strong ${styles.tab}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            data-focus-home={tab.value === value || undefined}
            aria-controls={`${id}-${tab.value}`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}`}
          className={styles.panel}
          aria-labelledby={`${id}-${tab.value}-tab`}
          hidden={tab.value !== value}
        >
          {tab.panel}
        </div>
      ))}
    </>
  );
}
