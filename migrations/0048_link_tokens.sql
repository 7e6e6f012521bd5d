CREATE TABLE "link_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid NOT NULL,
	"subject_id" uuid,
	"sent_to" text,
	"requested_by" text,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "link_tokens_purpose" CHECK (purpose in ('reset', 'verify', 'invitation', 'confirm', 'undo', 'answer-password')),
	CONSTRAINT "link_tokens_reset" CHECK (("link_tokens"."purpose" = 'reset') = ("link_tokens"."requested_by" is not null)),
	CONSTRAINT "link_tokens_proof" CHECK ("link_tokens"."sent_to" is not null or "link_tokens"."purpose" not in ('reset', 'verify')),
	CONSTRAINT "link_tokens_used" CHECK ("link_tokens"."used_at" is null or "link_tokens"."purpose" = 'invitation')
);
--> statement-breakpoint
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_tokens_user" ON "link_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "link_tokens_expiry" ON "link_tokens" USING btree ("expires_at");--> statement-breakpoint
-- Links that still work go on working.
INSERT INTO "link_tokens" ("token_hash", "purpose", "user_id", "sent_to", "requested_by", "expires_at")
SELECT l."token_hash", 'reset', l."user_id", coalesce(l."sent_to", u."email"), l."requested_by", l."expires_at"
FROM "reset_links" l JOIN "users" u ON u."id" = l."user_id";--> statement-breakpoint
INSERT INTO "link_tokens" ("token_hash", "purpose", "user_id", "sent_to", "expires_at")
SELECT l."token_hash", 'verify', l."user_id", u."email", l."expires_at"
FROM "email_verifications" l JOIN "users" u ON u."id" = l."user_id";--> statement-breakpoint
INSERT INTO "link_tokens" ("token_hash", "purpose", "user_id", "subject_id", "sent_to", "expires_at")
SELECT l."token_hash", 'invitation', l."user_id", l."invitation_id", case when l."is_emailed" then u."email" end, l."expires_at"
FROM "invitation_links" l JOIN "users" u ON u."id" = l."user_id";--> statement-breakpoint
INSERT INTO "link_tokens" ("token_hash", "purpose", "user_id", "subject_id", "expires_at")
SELECT "token_hash", "does", "user_id", "change_id", "expires_at" FROM "address_links";--> statement-breakpoint
-- Links of a version from before 0017, which noted no client.
INSERT INTO "link_tokens" ("token_hash", "purpose", "user_id", "sent_to", "requested_by", "expires_at")
SELECT l."token_hash", 'reset', l."user_id", u."email", 'unknown', l."expires_at"
FROM "password_resets" l JOIN "users" u ON u."id" = l."user_id" WHERE l."expires_at" > now()
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Contract: what they held has just moved. Nothing has used "password_resets" since 0017.
DROP TABLE "address_links" CASCADE;--> statement-breakpoint
DROP TABLE "email_verifications" CASCADE;--> statement-breakpoint
DROP TABLE "invitation_links" CASCADE;--> statement-breakpoint
DROP TABLE "password_resets" CASCADE;--> statement-breakpoint
DROP TABLE "reset_links" CASCADE;