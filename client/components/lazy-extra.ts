import { type ComponentType, lazy } from 'react';

/** A component that comes after the rest of a page. Where its code cannot be loaded, nothing is shown. */
export function lazyExtra<Props>(load: () => Promise<ComponentType<Props>>) {
  const nothing: ComponentType<Props> = () => null;
  return lazy(async () => ({ default: await load().catch(() => nothing) }));
}
