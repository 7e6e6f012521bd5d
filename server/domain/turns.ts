export interface Turns {
  /**
   * Waits until this process does nothing else under `id`, after asking whoever does to stop.
   * @param stop called when somebody else wants the turn
   * @returns what ends the turn
   */
  take(id: string, stop: () => void): Promise<() => void>;
}

/**
 * One at a time for an id, the newest first: who comes again after a cut must not wait until the
 * connection that was cut is found out to be dead.
 */
export function createTurns(): Turns {
  const latest = new Map<string, { stop: () => void; done: Promise<void> }>();
  return {
    async take(id, stop) {
      const before = latest.get(id);
      let end = () => {};
      const done = new Promise<void>((resolve) => {
        end = resolve;
      });
      const turn = { stop, done };
      latest.set(id, turn);
      before?.stop();
      await before?.done;
      return () => {
        if (latest.get(id) === turn) latest.delete(id);
        end();
      };
    },
  };
}
