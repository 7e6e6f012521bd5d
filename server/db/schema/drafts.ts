import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { users } from './accounts.ts';
import { capsules } from './capsules.ts';
import { instant, oneOf } from './columns.ts';

const DRAFT_ENDS = ['sealed', 'discarded'] as const;

export interface DraftWrite {
  id: string;
  /** What it made. */
  revision: number;
}

/**
 * What is not sealed yet, as all devices of a person have it. Of one that is gone a row stays, so that
 * each device hears of it.
 */
export const drafts = pgTable(
  'drafts',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Made by a device, and so unique for one person only. Also the idempotency key of its capsule. */
    id: uuid('id').notNull(),
    /** Grows with each change of any draft of the person. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    /** As JSON: `jsonb` has no place for some of the characters that a half-typed text may have. */
    content: text('content'),
    /**
     * The title that stands in it, for what needs no more of it. Null where a version before this one
     * has written it, and once it is gone.
     */
    title: text('title'),
    /** The names of the others it is for, and its day, as they stand in it. As with the title. */
    recipientNames: text('recipient_names').array(),
    dateToUnlock: text('date_to_unlock'),
    /** The last writes by their own ids, so that a repeat is told from another device's words. */
    writes: jsonb('writes').$type<DraftWrite[]>().notNull().default([]),
    /** How many links to add by it has had: each token is signed with its own number. */
    linkNumber: integer('link_number').notNull().default(0),
    gone: text('gone', { enum: DRAFT_ENDS }),
    /** Browser and system in words. Empty where it did not say. */
    writtenOn: text('written_on').notNull(),
    writtenAt: instant('written_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('drafts_changes').on(t.userId, t.revision),
    index('drafts_ended').on(t.writtenAt).where(sql`${t.gone} is not null`),
    check('drafts_gone', oneOf(t.gone, DRAFT_ENDS)),
    check('drafts_content', sql`(${t.content} is null) = (${t.gone} is not null)`),
  ],
);

/** The link by which others add to a draft: one of each. Only a hash of its token is stored. */
export const contributionLinks = pgTable(
  'contribution_links',
  {
    userId: uuid('user_id').notNull(),
    draftId: uuid('draft_id').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The organiser's, to those who are asked. */
    words: text('words').notNull(),
    /** Whom the capsule is for, and its day, are not told to those who are asked. */
    isSurprise: boolean('is_surprise').notNull().default(false),
    /** The last day on which somebody can begin to add, as the organiser chose it, and its end. */
    until: date('until', { mode: 'string' }),
    endsAt: instant('ends_at'),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.draftId] }),
    foreignKey({
      name: 'contribution_links_draft',
      columns: [t.userId, t.draftId],
      foreignColumns: [drafts.userId, drafts.id],
    }).onDelete('cascade'),
    check('contribution_links_until', sql`(${t.until} is null) = (${t.endsAt} is null)`),
  ],
);

/** What somebody without an account adds to a draft. Once that is sealed, it belongs to the capsule. */
export const contributions = pgTable(
  'contributions',
  {
    /** Made by their device. */
    id: uuid('id').primaryKey(),
    /** The organiser, for whom its text counts. It may outlive their account, with the capsule. */
    userId: uuid('user_id').notNull(),
    /** Null once it is sealed. */
    draftId: uuid('draft_id'),
    capsuleId: uuid('capsule_id').references(() => capsules.id, { onDelete: 'cascade' }),
    /** Of who adds it, as they wrote it. */
    name: text('name').notNull(),
    letter: text('letter').notNull(),
    /** What they have chosen, in display order, as JSON. The bytes come as uploads of the same ids. */
    files: text('files').notNull(),
    revision: integer('revision').notNull(),
    /** Of what only the device has that added it, or the one that has gone on with it. */
    secretHash: text('secret_hash').notNull(),
    /** Of what the device had that wrote before another one went on. */
    formerSecretHash: text('former_secret_hash'),
    /** When its organiser removed it. Until it is sealed or a week has passed, it can be put back. */
    removedAt: instant('removed_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('contributions_draft').on(t.userId, t.draftId),
    index('contributions_capsule').on(t.capsuleId),
    foreignKey({
      name: 'contributions_of_draft',
      columns: [t.userId, t.draftId],
      foreignColumns: [drafts.userId, drafts.id],
    }).onDelete('cascade'),
    check('contributions_place', sql`num_nonnulls(${t.draftId}, ${t.capsuleId}) = 1`),
    check('contributions_revision', sql`${t.revision} >= 1`),
  ],
);
