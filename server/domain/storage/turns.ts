export type Turns = ReturnType<typeof createTurns>;

/**
 * Lets one request at a time work on an id, the newest first: a client that reconnects must not
 * wait until its lost connection times out.
 */
export function createTurns() {
  const latest = new Map<string, { stop: () => void; done: Promise<void> }>();
  return {
    /**
     * Waits until no other request works on `id`, after asking the current one to stop. @param stop
     * called when a newer request wants the turn @returns a function that ends the turn
     */
    async take(id: string, stop: () => void): Promise<() => void> {
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
