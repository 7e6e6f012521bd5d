CREATE TABLE "account_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"slot" text NOT NULL,
	"new_address" text,
	"password_hash" text,
	"sent_to" text,
	"created_at" timestamp with time zone NOT NULL,
	"confirm_until" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"takes_effect_at" timestamp with time zone NOT NULL,
	"objection_until" timestamp with time zone,
	"undone_at" timestamp with time zone,
	"previous_main" text,
	"previous_main_confirmed" boolean,
	"previous_second" text,
	CONSTRAINT "account_changes_password" CHECK (case when slot = 'password'
        then num_nulls(password_hash, sent_to) = 0
          and num_nonnulls(new_address, confirm_until, confirmed_at, objection_until) = 0
        else num_nonnulls(password_hash, sent_to) = 0 end),
	CONSTRAINT "account_changes_address" CHECK (slot = 'password' or slot in ('main', 'second')
        and (new_address is not null or slot = 'second' and objection_until is not null)
        and (confirm_until is not null or objection_until is not null)),
	CONSTRAINT "account_changes_effect" CHECK (case when objection_until is null
        then num_nonnulls(previous_main, previous_main_confirmed, previous_second, undone_at) = 0
        else num_nulls(confirmed_at, previous_main, previous_main_confirmed) = 0 end)
);
--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_changes_waiting" ON "account_changes" USING btree ("user_id","slot") WHERE "account_changes"."objection_until" is null;--> statement-breakpoint
CREATE INDEX "account_changes_user" ON "account_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_changes_new" ON "account_changes" USING btree ("new_address");--> statement-breakpoint
CREATE INDEX "account_changes_main" ON "account_changes" USING btree ("previous_main");--> statement-breakpoint
CREATE INDEX "account_changes_second" ON "account_changes" USING btree ("previous_second");--> statement-breakpoint
-- Changes that can still be confirmed or undone, the newest of each address where there are several.
INSERT INTO "account_changes" ("id", "user_id", "slot", "new_address", "created_at", "confirm_until", "takes_effect_at")
SELECT DISTINCT ON ("user_id", "which") "id", "user_id", "which", "new_address", "created_at", "expires_at", greatest("expires_at" - interval '24 hours', "created_at")
FROM "address_changes" WHERE "confirmed_at" IS NULL AND "new_address" IS NOT NULL
ORDER BY "user_id", "which", "created_at" DESC;--> statement-breakpoint
-- An address whose change was undone has a say for seven days, but none if it was undone within an hour.
INSERT INTO "account_changes" ("id", "user_id", "slot", "new_address", "created_at", "confirmed_at", "takes_effect_at", "objection_until", "undone_at", "previous_main", "previous_main_confirmed", "previous_second")
SELECT "id", "user_id", "which", "new_address", "created_at", "confirmed_at", "confirmed_at",
  CASE WHEN "undone_at" IS NULL THEN "expires_at" WHEN "undone_at" < "confirmed_at" + interval '1 hour' THEN "undone_at" ELSE "undone_at" + interval '7 days' END,
  "undone_at", "previous_main", "previous_main_confirmed", "previous_second"
FROM "address_changes" WHERE "confirmed_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "account_changes" ("id", "user_id", "slot", "password_hash", "sent_to", "created_at", "takes_effect_at")
SELECT gen_random_uuid(), "user_id", 'password', "password_hash", "sent_to", "created_at", "counts_from" FROM "pending_passwords";--> statement-breakpoint
INSERT INTO "link_tokens" ("token_hash", "purpose", "user_id", "subject_id", "expires_at")
SELECT l."token_hash", l."purpose", l."user_id", c."id", l."expires_at"
FROM "link_tokens" l JOIN "account_changes" c ON c."user_id" = l."user_id" AND c."slot" = 'password'
WHERE l."purpose" = 'answer-password'
ON CONFLICT ("token_hash") DO UPDATE SET "subject_id" = excluded."subject_id";--> statement-breakpoint
-- Contract: what they held has just moved.
DROP TABLE "address_changes" CASCADE;--> statement-breakpoint
DROP TABLE "pending_passwords" CASCADE;