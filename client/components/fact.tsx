import type { ComponentProps } from 'react';

/** One of a list of facts. */
export function Fact({ name, ...value }: { name: string } & ComponentProps<'dd'>) {
  return (
    <div>
      <dt>{name}</dt>
      <dd {...value} />
    </div>
  );
}
