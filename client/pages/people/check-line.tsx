import type { ReactNode } from 'react';

interface CheckLineProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** Something that is done as well. */
export function CheckLine({ checked, onChange, children }: CheckLineProps) {
  return (
    <label className="row middle gap-12 target">
      <input
        className="tick"
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
