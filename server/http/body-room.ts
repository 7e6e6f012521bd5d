/** What all bodies hold together that are in memory, while their calls are worked on. */
const ROOM_BYTES = 25_165_824;
/** Of each body so much needs no room: no form is refused because others send large ones. */
const FREE_BYTES = 16_384;

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
  received: number;
  /** Those that count. */
  bytes: number;
  refuse: (() => void) | null;
}

/**
 * One bound for all bodies that are kept in memory, and half of it for one network. When it is reached,
 * a body gives way that is still arriving: the largest one of the network that holds the most. So
 * nobody who sends much, or never ends, keeps out somebody's letter.
 */
export function createBodyRoom(roomBytes = ROOM_BYTES, freeBytes = FREE_BYTES): BodyRoom {
  const bodies = new Set<Body>();
  const byNetwork = new Map<string, number>();
  let taken = 0;
  const heldBy = (network: string) => byNetwork.get(network) ?? 0;

  function count(body: Body, bytes: number): void {
    const held = heldBy(body.network) + bytes - body.bytes;
    if (held > 0) byNetwork.set(body.network, held);
    else byNetwork.delete(body.network);
    taken += bytes - body.bytes;
    body.bytes = bytes;
  }

  function leave(body: Body): void {
    if (bodies.delete(body)) count(body, 0);
  }

  /** @param network whose bodies are looked at; undefined for those of all */
  function firstToGiveWay(network?: string): Body | undefined {
    let first: Body | undefined;
    for (const body of bodies) {
      if (!body.refuse || body.bytes === 0) continue;
      if (network !== undefined && body.network !== network) continue;
      const more = first
        ? heldBy(body.network) - heldBy(first.network) || body.bytes - first.bytes
        : 1;
      if (more > 0) first = body;
    }
    return first;
  }

  function refuse(body: Body | undefined): boolean {
    if (!body) return false;
    leave(body);
    body.refuse?.();
    return true;
  }

  return {
    enter(network, onRefused) {
      const body: Body = { network, received: 0, bytes: 0, refuse: onRefused };
      bodies.add(body);
      return {
        take(bytes) {
          if (!bodies.has(body)) return;
          body.received += bytes;
          count(body, Math.max(0, body.received - freeBytes));
          while (heldBy(network) > roomBytes / 2 && refuse(firstToGiveWay(network)));
          while (taken > roomBytes && refuse(firstToGiveWay()));
        },
        arrived() {
          body.refuse = null;
        },
        leave: () => leave(body),
      };
    },
  };
}
