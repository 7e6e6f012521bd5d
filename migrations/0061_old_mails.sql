-- What waits about a capsule in the bin is left out, and queued anew when that comes back.
INSERT INTO "emails" ("id", "kind", "user_id", "to_address", "is_about_capsules", "about_id", "requested_by", "created_at")
SELECT m."id", m."kind", m."user_id",
  CASE WHEN m."kind" NOT IN ('capsule-waiting', 'capsule-opened', 'capsule-reminder', 'keepsake', 'still-sealed', 'address-check') OR m."user_id" IS NULL THEN m."to_address" END,
  m."capsule_id" IS NOT NULL,
  CASE WHEN m."kind" = 'invitation' THEN m."id" ELSE m."change_id" END,
  m."requested_by", m."created_at"
FROM "mails" m
WHERE m."state" <> 'queued' OR m."capsule_id" IS NULL
  OR m."capsule_id" NOT IN (SELECT "capsule_id" FROM "binned_capsules");
--> statement-breakpoint
INSERT INTO "notices" ("capsule_id", "kind", "user_id", "email_id")
SELECT m."capsule_id", m."kind", m."user_id", m."id" FROM "mails" m JOIN "emails" e ON e."id" = m."id"
WHERE m."capsule_id" IS NOT NULL AND m."user_id" IS NOT NULL;
--> statement-breakpoint
-- What is known of an email that is to be sent once more.
INSERT INTO "sendings" ("id", "email_id", "number", "cause", "urgency", "slot", "address", "sent_at", "outcome", "outcome_at", "created_at")
SELECT gen_random_uuid(), m."id", 1, 'first', 2,
  CASE WHEN e."to_address" IS NULL THEN 'main' END,
  m."to_address", m."sent_at", coalesce(m."delivery", 'sent'), coalesce(m."delivered_at", m."sent_at"), m."created_at"
FROM "mails" m JOIN "emails" e ON e."id" = m."id"
WHERE m."state" <> 'sent' AND m."sent_at" IS NOT NULL;
--> statement-breakpoint
-- The id of an email's first sending is the email's, and so is the key by which a provider knows it.
INSERT INTO "sendings" ("id", "email_id", "number", "cause", "urgency", "slot", "address", "batch_id", "attempts", "next_attempt_at", "begun_at", "sent_at", "provider_id", "outcome", "outcome_at", "reason", "created_at")
SELECT CASE WHEN m."repeats" = 0 AND NOT m."to_second" THEN m."id" ELSE gen_random_uuid() END,
  m."id",
  CASE WHEN m."state" <> 'sent' AND m."sent_at" IS NOT NULL THEN 2 ELSE 1 END,
  CASE WHEN m."repeats" > 0 THEN 'repeat' WHEN m."to_second" AND m."kind" <> 'address-check' THEN 'second-address' WHEN m."resent" THEN 'unanswered' ELSE 'first' END,
  CASE WHEN m."kind" = 'capsule-opened' THEN 1 WHEN e."to_address" IS NULL THEN 2 ELSE 0 END,
  CASE WHEN e."to_address" IS NULL THEN CASE WHEN m."to_second" THEN 'second' ELSE 'main' END END,
  m."to_address",
  CASE WHEN m."state" = 'queued' THEN m."batch_id" END,
  m."attempts",
  CASE WHEN m."state" = 'queued' THEN m."next_attempt_at" END,
  m."unknown_since",
  CASE WHEN m."state" = 'sent' THEN m."sent_at" END,
  m."provider_id",
  CASE m."state"
    WHEN 'sent' THEN coalesce(m."delivery", 'sent')
    WHEN 'failed' THEN CASE WHEN m."delivery" = 'bounced' THEN 'bounced' WHEN m."unknown_since" IS NOT NULL THEN 'unknown' ELSE 'failed' END
    WHEN 'dropped' THEN 'dropped' END,
  CASE WHEN m."state" <> 'queued' THEN coalesce(m."delivered_at", m."sent_at", m."created_at") END,
  m."last_error",
  coalesce(m."repeated_at", m."created_at")
FROM "mails" m JOIN "emails" e ON e."id" = m."id";
--> statement-breakpoint
-- Contract: emails, notices and sendings hold what it held.
DROP TABLE "mails" CASCADE;
--> statement-breakpoint
-- Contract: what is withheld is a sending.
DROP TABLE "withheld_notices" CASCADE;
