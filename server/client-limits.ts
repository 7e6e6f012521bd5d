import { createHash } from 'node:crypto';
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { INVITATIONS_A_DAY, REPORTS_A_DAY, RESET_LINK_MINUTES } from '../shared/limits.ts';
import { AppError } from './app-error.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open.ts';
import { rateLimits } from './db/schema.ts';
import { createLimiter, type Limiter } from './limiter.ts';

/*
 * What one client or person may cost, counted before the work is done. Honest people stay far below
 * each number; docs/operations-reference.md lists them.
 */

/** The last of these says that there may be more. */
export const LOGGED_REFUSALS = 60;

/**
 * Attempts in so many seconds: guesses, and what causes emails. All processes on one database count
 * them together.
 */
const SHARED_ATTEMPTS = {
  signIn: [10, 60],
  signInByClient: [60, 60],
  /** By a device where the account's owner has signed in before. Beyond these, it is a stranger's. */
  signInByDevice: [10, 3_600],
  /** To one account by other devices, the first one of each address and more. Beyond these, at a pace. */
  signInFirst: [100, 3_600],
  signInAgain: [20, 3_600],
  signInPace: [1, 3],
  /** How often an address has tried one account: who has not goes first. It refuses nothing. */
  signInTried: [1_000, 3_600],
  /** Passwords and passkeys asked of one session for what needs more than a session, and of all of a person. */
  ownPasswordAsked: [30, 60],
  ownPasswordAskedInAll: [300, 60],
  /** Wrong ones in one session. The last one ends it. */
  ownPassword: [10, 3_600],
  /** Challenges and answers of passkeys, by an address. */
  passkey: [60, 60],
  /** Journeys to the identity provider and back, by an address. */
  provider: [60, 60],
  register: [20, 60],
  /** By account and client together: a stranger cannot keep the owner from a link. */
  linkEmail: [5, 300],
  /** To one account, whoever asks. */
  linkEmailInAll: [8, 3_600],
  /** Beyond that: a new link as soon as the last one is dead, so that nobody can keep the owner from one. */
  linkEmailSpare: [1, RESET_LINK_MINUTES * 60],
  forgotByClient: [20, 60],
  /** Each email to an address that nobody has confirmed, by its id: one that is tried again counts once. */
  mailCounted: [1, 86_400],
  /** Such emails to one mailbox and to one domain, whoever causes them. */
  mailboxHour: [8, 3_600],
  mailboxDay: [20, 86_400],
  mailDomainHour: [60, 3_600],
  mailDomainDay: [500, 86_400],
  /** Beyond that, to the plain address of a mailbox: nobody can keep its owner from confirming it. */
  mailboxSpare: [1, 3_600],
  /** Links to confirm an address that one client causes. Beyond these, none goes where a domain is full. */
  confirmByClient: [5, 3_600],
  /** The link that a plain address gets all the same where its domain is full. */
  confirmSpare: [1, 86_400],
  token: [30, 60],
  /** "Is waiting" emails that one creator causes, to one recipient and to all. */
  waitingToOne: [10, 86_400],
  waitingToAll: [200, 86_400],
  /**
   * Addresses that one person invites, whatever comes of it. A repeat is free for two weeks: a
   * capsule for more people than a day allows asks again for those of the days before.
   */
  invite: [INVITATIONS_A_DAY, 86_400],
  inviteAgain: [1, 1_209_600],
  /** Changes of addresses: each causes an email to an address that may be a stranger's. */
  addressChange: [5, 86_400],
  /** Changes of whether new devices need a passkey: each is told to all addresses. */
  passkeyChoice: [5, 86_400],
  /** Emails to one organiser about who has added to a draft, which may be taken back and added again. */
  addedMail: [100, 86_400],
  /** Emails about sign-ins on new devices, to all addresses of one account. */
  newDeviceMail: [3, 86_400],
  /**
   * What one person reports to the operator, and the emails about single reports, by all together: of
   * somebody in danger apart. Others are told by one email an hour.
   */
  report: [REPORTS_A_DAY, 86_400],
  reportMail: [50, 86_400],
  dangerMail: [50, 86_400],
} as const satisfies Record<string, readonly [attempts: number, seconds: number]>;

/** Attempts in so many seconds, counted in each process, because they keep the process from too much work. */
const ATTEMPTS = {
  /** Every call of a session, and of all of a person: who has one of them keeps nobody from ending it. */
  call: [1_200, 60],
  callInAll: [6_000, 60],
  /**
   * Whatever a client asks for without being signed in: pages, files, calls. The app is 35 files, and
   * a hundred guests at one address may open it for the first time in the same minute.
   */
  visit: [6_000, 60],
  /** Lines in the log of what one client was refused with one code. */
  loggedRefusal: [LOGGED_REFUSALS, 60],
  /** Calls with a body by one client that nobody has to be signed in for. */
  visitorBody: [120, 60],
  search: [120, 60],
  create: [120, 60],
  avatar: [20, 60],
  export: [5, 60],
  rendition: [240, 60],
  /** Drafts that one person begins. A row of each stays for a year. */
  newDraft: [1_000, 86_400],
  /** Calls of those who add to a draft, by a client: a family may be at one address. */
  contribution: [600, 60],
  /** Drafts that one person saves, or parts that a client adds to one: as they type, every few seconds on each of their devices. */
  largeBody: [120, 60],
} as const satisfies Record<string, readonly [attempts: number, seconds: number]>;

/** Places for parts of the files of contributions, which are held while these arrive. */
export const CONTRIBUTION_PARTS = 100;

type Line = readonly [atOnce: number, waiting: number, waitMaxMs?: number];

/** What may be in progress at once, in each process, how much may wait for it, and for how long. */
const IN_PROGRESS = {
  /** Reading calls of a person: a few database connections serve everybody. */
  read: [4, 40],
  /** Searches in a person's own lists, which read all of them. */
  listSearch: [1, 10],
  /** Lists of a person's drafts, of up to two megabytes each. */
  draftList: [1, 10],
  /** Sign-ins to one account from one known device, or from all others that have tried as often. */
  signIn: [1, 15],
  /** JSON bodies of a client that are being received, and of a network. None waits unread. */
  body: [40, 0],
  networkBody: [200, 0],
  /**
   * Larger JSON bodies that are there and are being saved, of a person, and of all people. Visitors,
   * who are known by their client only, have places of their own.
   */
  largeBody: [2, 20],
  largeBodies: [8, 400, 8_000],
  /** Capsules and upload parts of a person that are being received. */
  upload: [12, 0],
  /** What locks an organiser on behalf of those who add: it leaves connections to everybody else. */
  contributionChange: [4, 400, 8_000],
  /**
   * Parts of the files of one contribution, of all to one organiser, and of all, that are being
   * received. Once half of the places of all are taken, slow ones have to go.
   */
  contributionPart: [3, 0],
  organiserParts: [10, 0],
  contributionParts: [CONTRIBUTION_PARTS, 0],
  /** Files of a person that are being sent. Browsers ask for all pictures of a capsule at once. */
  download: [10, 50],
  /** Small copies of a person's photographs: who asks for many holds up nobody else. */
  rendition: [1, 40],
  /** Exports of a person. Some browsers ask again as they hand a download over, and end the first call. */
  export: [1, 1, 8_000],
  /** Profile pictures of a person that are decoded. */
  avatar: [1, 3],
} as const satisfies Record<string, Line>;

export type AttemptName = keyof typeof ATTEMPTS | keyof typeof SHARED_ATTEMPTS;
export type WorkName = keyof typeof IN_PROGRESS;

/** What became of attempts that were taken. */
interface Taken {
  /** How many there were before, at most as many as are allowed. */
  before: number;
  /** Whether all of these are within the limit, and how many are. */
  isWithin: boolean;
  fits: number;
  /** When there is room again; 0 where all are within. */
  waitMs: number;
}

export interface ClientLimits {
  /** Takes one attempt. @throws RATE_LIMITED, with the seconds to wait, when there were too many. */
  take(name: AttemptName, key: string): Promise<void>;
  /** As `take`, but says it instead of throwing: for an answer that must not differ, and for several at once. */
  tryTake(name: AttemptName, key: string, attempts?: number): Promise<Taken>;
  /** Whether there were attempts. Takes none. */
  wasTaken(name: AttemptName, key: string): Promise<boolean>;
  /** Gives back what came to nothing: so many attempts, or all after one that succeeded. */
  giveBack(name: AttemptName, key: string, attempts: number | 'all'): Promise<void>;
  /** Runs `work` when it is this key's turn. @throws BUSY when too much waits already */
  inTurn<T>(name: WorkName, key: string, work: () => Promise<T>): Promise<T>;
  /** How much of this work is in progress or waits, of all keys together. */
  inProgress(name: WorkName): number;
}

const UNLIMITED: ClientLimits = {
  take: async () => {},
  tryTake: async (_name, _key, fits = 1) => ({ before: 0, isWithin: true, fits, waitMs: 0 }),
  wasTaken: async () => false,
  giveBack: async () => {},
  inTurn: (_name, _key, work) => work(),
  inProgress: () => 0,
};

/** @param db where several processes count together; null for a process that is alone */
export function createClientLimits(
  { rateLimits: isOn }: Pick<Config, 'rateLimits'>,
  db: Database | null,
): ClientLimits {
  if (!isOn) return UNLIMITED;
  const shared = (name: string, limit: Limit) =>
    db ? ofDatabase(name, limit, db) : ofProcess(name, limit);
  const limiters = Object.fromEntries([
    ...Object.entries(ATTEMPTS).map(([name, limit]) => [name, ofProcess(name, limit)]),
    ...Object.entries(SHARED_ATTEMPTS).map(([name, limit]) => [name, shared(name, limit)]),
  ]) as Record<AttemptName, ReturnType<typeof shared>>;
  const amounts = new Map<WorkName, number>();
  const turns = new Map<string, { limiter: Limiter; users: number }>();
  const tryTake: ClientLimits['tryTake'] = async (name, key, attempts = 1) => {
    const limiter = limiters[name];
    try {
      const { consumedPoints } = await limiter.consume(nameless(key), attempts);
      return { before: consumedPoints - attempts, isWithin: true, fits: attempts, waitMs: 0 };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      // The sum with these. It is missing for a key that was beyond its limit before.
      const { consumedPoints: sum, msBeforeNext } = refused;
      const before = sum === 0 ? limiter.points : Math.min(limiter.points, sum - attempts);
      const waitMs = Math.max(1, msBeforeNext);
      return { before, isWithin: false, fits: limiter.points - before, waitMs };
    }
  };
  return {
    async take(name, key) {
      const { waitMs } = await tryTake(name, key);
      if (waitMs === 0) return;
      throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil(waitMs / 1000) });
    },
    tryTake,
    async wasTaken(name, key) {
      const taken = await limiters[name].get(nameless(key));
      return taken !== null && taken.msBeforeNext > 0;
    },
    async giveBack(name, key, attempts) {
      if (attempts === 'all') await limiters[name].delete(nameless(key));
      else await limiters[name].reward(nameless(key), attempts);
    },
    async inTurn(name, key, work) {
      amounts.set(name, (amounts.get(name) ?? 0) + 1);
      const id = `${name} ${key}`;
      const [atOnce, waitingMax, waitMaxMs] = IN_PROGRESS[name] as Line;
      const limiter = () => createLimiter(atOnce, waitingMax, waitMaxMs);
      const turn = turns.get(id) ?? { limiter: limiter(), users: 0 };
      turns.set(id, turn);
      turn.users += 1;
      try {
        return await turn.limiter(work);
      } finally {
        amounts.set(name, (amounts.get(name) ?? 0) - 1);
        turn.users -= 1;
        if (turn.users === 0) turns.delete(id);
      }
    },
    inProgress: (name) => amounts.get(name) ?? 0,
  };
}

/** Keys hold addresses of people who may not even have an account: none of them is stored. */
export function nameless(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

type Limit = readonly [attempts: number, seconds: number];

function ofProcess(keyPrefix: string, [points, duration]: Limit): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix, points, duration });
}

function ofDatabase(keyPrefix: string, limit: Limit, db: Database): RateLimiterDrizzle {
  const [points, duration] = limit;
  return new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix,
    points,
    duration,
    // Counts on while the database is away.
    insuranceLimiter: ofProcess(keyPrefix, limit),
    // Who is refused is refused again without asking the database. The last attempt within is not
    // refused, and may be given back.
    inMemoryBlockOnConsumed: points + 1,
    // The sweep removes what has expired.
    clearExpiredByTimeout: false,
  });
}
