import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { arrowTarget } from './arrow-keys.ts';
import type { Icon } from './button.tsx';
import { classes } from './classes.ts';
import styles from './menu.module.css';

export interface MenuItem {
  label: string;
  icon?: Icon;
  onSelect: () => void;
}

interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  /** What the button shows. */
  trigger: ReactNode;
  items: readonly MenuItem[];
  /** Opens above its button, where there is no room below. */
  isAbove?: boolean;
}

/** A menu button: arrows move, Escape, Tab and a click outside close. */
export function Menu({ label, trigger, items, isAbove = false }: MenuProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    entries(list.current)[0]?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') setOpen(false);
    if (event.key === 'Escape') {
      event.stopPropagation();
      // The browser would close a dialog around it as well.
      event.preventDefault();
      setOpen(false);
      button.current?.focus();
    }
    const all = entries(list.current);
    const at = all.findIndex((entry) => entry.matches(':focus'));
    const next = arrowTarget(event, at, all.length, 'vertical');
    if (next === null) return;
    event.preventDefault();
    all[next]?.focus();
  };

  return (
    <div className="holds" ref={root}>
      <button
        ref={button}
        type="button"
        className={`row middle gap-8 target rounded ${styles.trigger}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={classes(`sheet ${styles.list}`, isAbove && styles.above)}
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`row middle gap-12 wide target lights-up ${styles.item}`}
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                item.onSelect();
              }}
            >
              {item.icon && <item.icon size={18} />}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function entries(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
