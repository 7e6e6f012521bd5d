import { type ComponentType, createElement, lazy, type ReactElement, useState } from 'react';

/** A component whose code comes when it is first shown, or ahead of that. */
export interface Later<Props extends object> {
  (props: Props): ReactElement;
  /** Has the code come ahead of time: it then shows without a wait. Never throws. */
  prepare: () => Promise<void>;
}

export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Later<Props> {
  let loaded: ComponentType<Props> | null = null;
  const come = async () => {
    loaded ??= await load();
    return loaded;
  };
  const Coming = lazy(async () => ({ default: await come() }));
  function Part(props: Props) {
    // What is there is not waited for: after a wait React shows nothing new for a third of a
    // second. It stays what it was first, for another component would start over.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Coming);
    return createElement(Chosen, props);
  }
  return Object.assign(Part, {
    prepare: async () => {
      // Where it does not come it is asked for again when it is to be shown.
      await come().catch(() => undefined);
    },
  });
}
