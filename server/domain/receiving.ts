/** What one body may take of a person's storage while it is received. */
export interface Hold {
  /** Counts bytes that have come. @throws what `refuse` makes */
  add(count: number): void;
  /** The bytes are counted elsewhere now, or gone. */
  end(): void;
}

export interface Receiving {
  /**
   * @param expected how many bytes are announced; more may come
   * @param free how many this person may still have, all bodies together
   * @throws what `refuse` makes
   */
  hold(
    userId: string,
    { expected, free, refuse }: { expected: number; free: number; refuse: () => Error },
  ): Hold;
}

/** Bytes that this process is receiving, by person: no row counts them before their capsule is sealed. */
export function createReceiving(): Receiving {
  const totals = new Map<string, number>();
  return {
    hold(userId, { expected, free, refuse }) {
      let held = 0;
      let received = 0;
      let ended = false;

      function moveTo(bytes: number): void {
        const total = (totals.get(userId) ?? 0) - held + bytes;
        held = bytes;
        if (total > 0) totals.set(userId, total);
        else totals.delete(userId);
      }

      function end(): void {
        ended = true;
        moveTo(0);
      }

      function need(bytes: number): void {
        const others = (totals.get(userId) ?? 0) - held;
        // One that takes nothing more finds room, whatever others take.
        if (ended || (bytes > held && others + bytes > free)) {
          // At once, so that of several that do not fit together not all are refused.
          end();
          throw refuse();
        }
        moveTo(bytes);
      }

      need(expected);
      return {
        add(count) {
          received += count;
          if (received > held) need(received);
        },
        end,
      };
    },
  };
}
