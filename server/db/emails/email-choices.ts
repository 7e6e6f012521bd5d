import { eq, type SQL, sql } from 'drizzle-orm';
import type { TurnOffKind } from '../../../shared/api/email-choices.ts';
import { kindsWith } from '../../mail/kinds.ts';
import type { Queryable } from '../open.ts';
import { users } from '../schema.ts';

/** The kinds of email that come to everybody who has not turned them off. */
export const TURN_OFF_KINDS: TurnOffKind[] = kindsWith({ comes: 'unless-turned-off' });

export interface Choices {
  /** The kinds of email that a person has turned off. */
  unwanted: string[];
  /** Whether creators learn that they have read a capsule. Null: they are asked each time. */
  tellsWhenRead: boolean | null;
}

const CHOICE_COLUMNS = {
  unwanted: users.unwantedEmails,
  tellsWhenRead: users.tellsWhenRead,
};

export async function findChoices(db: Queryable, userId: string): Promise<Choices> {
  const [row] = await db.select(CHOICE_COLUMNS).from(users).where(eq(users.id, userId));
  return row ?? NO_CHOICES;
}

interface ChosenKinds {
  choices: Partial<Record<TurnOffKind, boolean>>;
  /** Undefined: stays as it is. */
  tellsWhenRead?: boolean | null | undefined;
}

/** Turns kinds of email on or off, all at once or none. Kinds that are not named stay as they are. */
export async function setChoices(
  db: Queryable,
  userId: string,
  { choices, tellsWhenRead }: ChosenKinds,
): Promise<Choices> {
  let unwantedEmails: SQL = sql`${users.unwantedEmails}`;
  for (const kind of TURN_OFF_KINDS) {
    if (choices[kind] === undefined) continue;
    unwantedEmails = sql`array_remove(${unwantedEmails}, ${kind})`;
    if (!choices[kind]) unwantedEmails = sql`array_append(${unwantedEmails}, ${kind})`;
  }
  const [row] = await db
    .update(users)
    .set({ unwantedEmails, tellsWhenRead })
    .where(eq(users.id, userId))
    .returning(CHOICE_COLUMNS);
  return row ?? NO_CHOICES;
}

/** Of somebody who is gone. */
const NO_CHOICES: Choices = { unwanted: [], tellsWhenRead: null };

export async function setTellsWhenRead(
  db: Queryable,
  userId: string,
  tellsWhenRead: boolean,
): Promise<void> {
  await db.update(users).set({ tellsWhenRead }).where(eq(users.id, userId));
}
