import type { Chance } from '../support/chance.ts';

/** A hard bounce, or a mailbox that takes everything and is read by nobody. */
export type Death = 'bounces' | 'is silent';

export interface Received {
  to: string;
  at: Date;
  subject: string;
  text: string;
  /** Whether its provider takes an email once, however often it is sent under its key. */
  byKey: boolean;
}

/** All mailboxes of the simulated world, whoever delivers to them. */
export interface Mailboxes {
  /** A new address that nobody had before. */
  open(): string;
  isAlive(address: string): boolean;
  stateOf(address: string): Death | 'is read';
  bounces(address: string): boolean;
  end(address: string, death: Death): void;
  /** Called for each email that is read by a person. */
  onReceived: (email: Received) => void;
  deliver(email: Received): void;
}

export function createMailboxes(): Mailboxes {
  const dead = new Map<string, Death>();
  let count = 0;
  return {
    open() {
      count += 1;
      return `person-${count}@example.org`;
    },
    isAlive: (address) => !dead.has(address),
    stateOf: (address) => dead.get(address) ?? 'is read',
    bounces: (address) => dead.get(address) === 'bounces',
    end(address, death) {
      dead.set(address, death);
    },
    onReceived: () => {},
    deliver(email) {
      if (!dead.has(email.to)) this.onReceived(email);
    },
  };
}

/** How many days an address lives, of which `shareAYear` die in a year. */
export function lifetimeDays(chance: Chance, shareAYear: number): number {
  const u = (chance.whole(0, 999_999) + 1) / 1_000_001;
  return Math.ceil((Math.log(u) / Math.log(1 - shareAYear)) * 365.25);
}
