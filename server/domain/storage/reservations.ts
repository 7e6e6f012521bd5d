/** The storage reserved for one body while it is received. */
export interface Reservation {
  /** Counts received bytes. @throws the error of `refuse` */
  add(count: number): void;
  /** Ends the reservation: the bytes are counted by a row now, or discarded. */
  release(): void;
}

export interface Reservations {
  /**
   * @param expected the announced bytes; more may arrive @param free bytes this person may still
   * use, for all bodies together @throws the error of `refuse`
   */
  reserve(
    userId: string,
    { expected, free, refuse }: { expected: number; free: number; refuse: () => Error },
  ): Reservation;
}

/**
 * Counts, for each person, the bytes this process is receiving, which no row counts before the
 * seal.
 */
export function createReservations(): Reservations {
  const totals = new Map<string, number>();
  return {
    reserve(userId, { expected, free, refuse }) {
      let reserved = 0;
      let received = 0;
      let released = false;

      function moveTo(bytes: number): void {
        const total = (totals.get(userId) ?? 0) - reserved + bytes;
        reserved = bytes;
        if (total > 0) totals.set(userId, total);
        else totals.delete(userId);
      }

      function release(): void {
        released = true;
        moveTo(0);
      }

      function need(bytes: number): void {
        const others = (totals.get(userId) ?? 0) - reserved;
        // A request that does not grow is never refused because of other uploads.
        if (released || (bytes > reserved && others + bytes > free)) {
          // Released at once, so that of several bodies that do not fit together only as many are
          // refused as necessary.
          release();
          throw refuse();
        }
        moveTo(bytes);
      }

      need(expected);
      return {
        add(count) {
          received += count;
          if (received > reserved) need(received);
        },
        release,
      };
    },
  };
}
