import { eq, type SQL, sql } from 'drizzle-orm';
import type { TurnOffKind } from '../../../shared/api/email-choices.ts';
import { kindsWith } from '../../mail/kinds.ts';
import { asksYearlyFrom } from '../accounts/yearly-emails.ts';
import type { Queryable } from '../open.ts';
import { users } from '../schema.ts';

/** Emails that come to everybody who has not turned them off. */
const WANTED_KINDS = kindsWith({ comes: 'unless-turned-off' });

/** Emails that come only to who has asked for them. */
const ASKED_KINDS = kindsWith({ comes: 'if-asked-for' });
type AskedKind = (typeof ASKED_KINDS)[number];

/** The kinds of email that a link in them turns off. */
export const TURN_OFF_KINDS: TurnOffKind[] = [...WANTED_KINDS, ...ASKED_KINDS];

/** The kinds of email that a person has turned off, and those they have asked for. */
export interface Choices {
  unwanted: string[];
  asked: AskedKind[];
  /** Whether creators learn that they have read a capsule. Null: they are asked each time. */
  tellsWhenRead: boolean | null;
}

const CHOICE_COLUMNS = {
  unwanted: users.unwantedEmails,
  keepsake: users.keepsakeDueAt,
  'still-sealed': users.stillSealedDueAt,
  tellsWhenRead: users.tellsWhenRead,
};

export async function findChoices(db: Queryable, userId: string): Promise<Choices> {
  const [row] = await db.select(CHOICE_COLUMNS).from(users).where(eq(users.id, userId));
  return choicesOf(row);
}

interface ChosenKinds {
  choices: Partial<Record<TurnOffKind, boolean>>;
  /** Undefined: stays as it is. */
  tellsWhenRead?: boolean | null | undefined;
  now: Date;
}

/** Turns kinds of email on or off, all at once or none. Kinds that are not named stay as they are. */
export async function setChoices(
  db: Queryable,
  userId: string,
  { choices, tellsWhenRead, now }: ChosenKinds,
): Promise<Choices> {
  let unwantedEmails: SQL = sql`${users.unwantedEmails}`;
  for (const kind of WANTED_KINDS) {
    if (choices[kind] === undefined) continue;
    unwantedEmails = sql`array_remove(${unwantedEmails}, ${kind})`;
    if (!choices[kind]) unwantedEmails = sql`array_append(${unwantedEmails}, ${kind})`;
  }
  const due = ASKED_KINDS.map((kind) => {
    const isAsked = choices[kind];
    return isAsked === undefined ? {} : asksYearlyFrom(kind, isAsked ? now : null);
  });
  const [row] = await db
    .update(users)
    .set(Object.assign({ unwantedEmails, tellsWhenRead }, ...due))
    .where(eq(users.id, userId))
    .returning(CHOICE_COLUMNS);
  return choicesOf(row);
}

type ChoiceRow = Pick<Choices, 'unwanted' | 'tellsWhenRead'> & Record<AskedKind, Date | null>;

function choicesOf(row: ChoiceRow | undefined): Choices {
  const asked = ASKED_KINDS.filter((kind) => row?.[kind]);
  return { unwanted: row?.unwanted ?? [], asked, tellsWhenRead: row?.tellsWhenRead ?? null };
}

export async function setTellsWhenRead(
  db: Queryable,
  userId: string,
  tellsWhenRead: boolean,
): Promise<void> {
  await db.update(users).set({ tellsWhenRead }).where(eq(users.id, userId));
}
