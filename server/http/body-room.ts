/** What all bodies hold together that are in memory, and not answered yet. */
const ROOM_BYTES = 25_165_824;

/** The place that one body takes. */
export interface BodyPlace {
  /** So many bytes have come, or aren't kept any more if it is less than nothing. */
  take(bytes: number): void;
  /** It is there: from now on its bytes are waiting for us, and nobody refuses it. */
  arrived(): void;
}

export interface BodyRoom {
  /**
   * @param network of who sends it
   * @param refuse called when it has to give way; then its bytes don't count any more
   */
  enter(network: string, refuse: () => void): BodyPlace & { leave(): void };
}

interface Body {
  network: string;
  bytes: number;
  refuse: (() => void) | null;
}

/**
 * One bound for all bodies that are kept in memory. When it is reached, a body gives way that is still
 * arriving: the largest one of the network that holds the most. So nobody who sends much, or never
 * ends, keeps out somebody's letter.
 */
export function createBodyRoom(roomBytes: number = ROOM_BYTES): BodyRoom {
  const bodies = new Set<Body>();
  let taken = 0;

  function leave(body: Body): void {
    if (bodies.delete(body)) taken -= body.bytes;
  }

  function firstToGiveWay(): Body | undefined {
    const byNetwork = new Map<string, number>();
    for (const { network, bytes } of bodies) {
      byNetwork.set(network, (byNetwork.get(network) ?? 0) + bytes);
    }
    const weight = ({ network }: Body) => byNetwork.get(network) ?? 0;
    let first: Body | undefined;
    for (const body of bodies) {
      if (!body.refuse) continue;
      const more = first ? weight(body) - weight(first) || body.bytes - first.bytes : 1;
      if (more > 0) first = body;
    }
    return first;
  }

  return {
    enter(network, refuse) {
      const body: Body = { network, bytes: 0, refuse };
      bodies.add(body);
      return {
        take(bytes) {
          if (!bodies.has(body)) return;
          body.bytes += bytes;
          taken += bytes;
          while (taken > roomBytes) {
            const first = firstToGiveWay();
            if (!first) return;
            leave(first);
            first.refuse?.();
          }
        },
        arrived() {
          body.refuse = null;
        },
        leave: () => leave(body),
      };
    },
  };
}
