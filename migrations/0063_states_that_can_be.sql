-- It was filled by a job. A capsule in the bin has its creator there.
UPDATE "capsule_recipients" r SET "is_creator" = coalesce(c."creator_id" = r."user_id", false)
FROM "capsules" c WHERE c."id" = r."capsule_id" AND r."is_creator" IS NULL;--> statement-breakpoint
UPDATE "binned_recipients" r SET "is_creator" = b."owner_id" = r."user_id"
FROM "binned_capsules" b WHERE b."capsule_id" = r."capsule_id" AND r."is_creator" IS NULL;--> statement-breakpoint
-- Messages of a version that did not name the capsules. They have been given up long ago.
DELETE FROM "push_messages" WHERE cardinality("capsule_ids") = 0;--> statement-breakpoint
-- Contract: every statement has named the day since 0007.
DROP TRIGGER "fill_date_to_unlock" ON "capsule_recipients";--> statement-breakpoint
DROP FUNCTION "fill_date_to_unlock";--> statement-breakpoint
-- Contract: no statement has used it since rows are complete.
ALTER TABLE "link_tokens" DROP CONSTRAINT "link_tokens_purpose";--> statement-breakpoint
DROP INDEX "account_changes_new";--> statement-breakpoint
DROP INDEX "capsule_recipients_unlooked";--> statement-breakpoint
DROP INDEX "reports_created";--> statement-breakpoint
ALTER TABLE "binned_recipients" ALTER COLUMN "is_creator" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "capsule_recipients" ALTER COLUMN "is_creator" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "push_messages" ALTER COLUMN "capsule_ids" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "push_messages" DROP COLUMN "capsules";--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD CONSTRAINT "binned_recipients_position" CHECK ("binned_recipients"."position" >= 0);--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD CONSTRAINT "binned_recipients_put_away" CHECK ("binned_recipients"."hidden" or not "binned_recipients"."blocked");--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_another" CHECK ("blocks"."user_id" <> "blocks"."blocked_id");--> statement-breakpoint
ALTER TABLE "capsule_files" ADD CONSTRAINT "capsule_files_counts" CHECK ("capsule_files"."position" >= 0 and "capsule_files"."bytes" >= 0);--> statement-breakpoint
ALTER TABLE "capsule_keys" ADD CONSTRAINT "capsule_keys_state" CHECK ("capsule_keys"."state" in ('receiving', 'done'));--> statement-breakpoint
ALTER TABLE "capsule_keys" ADD CONSTRAINT "capsule_keys_done" CHECK (("capsule_keys"."state" = 'done') = ("capsule_keys"."fingerprint" is not null));--> statement-breakpoint
ALTER TABLE "capsule_keys" ADD CONSTRAINT "capsule_keys_sealed" CHECK ("capsule_keys"."capsule_id" is null or "capsule_keys"."state" = 'done');--> statement-breakpoint
ALTER TABLE "capsule_recipients" ADD CONSTRAINT "capsule_recipients_position" CHECK ("capsule_recipients"."position" >= 0);--> statement-breakpoint
ALTER TABLE "capsule_recipients" ADD CONSTRAINT "capsule_recipients_put_away" CHECK ("capsule_recipients"."hidden" or not "capsule_recipients"."blocked");--> statement-breakpoint
ALTER TABLE "capsules" ADD CONSTRAINT "capsules_counts" CHECK ("capsules"."media_count" >= 0 and "capsules"."refusals" >= 0 and "capsules"."total_bytes" >= 0);--> statement-breakpoint
ALTER TABLE "capsules" ADD CONSTRAINT "capsules_departed" CHECK ("capsules"."departed_address" is null or "capsules"."departed_creator" is not null);--> statement-breakpoint
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_purpose" CHECK ("link_tokens"."purpose" in ('reset', 'verify', 'invitation', 'confirm', 'undo', 'answer-password'));--> statement-breakpoint
ALTER TABLE "ordered_deletions" ADD CONSTRAINT "ordered_deletions_capsules" CHECK ("ordered_deletions"."capsules" in ('deliver', 'destroy'));--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_counter" CHECK ("passkeys"."counter" >= 0);--> statement-breakpoint
ALTER TABLE "push_messages" ADD CONSTRAINT "push_messages_counts" CHECK ("push_messages"."attempts" >= 0 and cardinality("push_messages"."capsule_ids") > 0);--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_reason" CHECK ("reports"."reason" in ('spam', 'harassment', 'threat', 'sexual', 'child', 'impersonation', 'illegal', 'other'));--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_about" CHECK (num_nonnulls("reports"."capsule_id", "reports"."user_id") > 0);--> statement-breakpoint
ALTER TABLE "sendings" ADD CONSTRAINT "sendings_counts" CHECK ("sendings"."number" >= 1 and "sendings"."attempts" >= 0);--> statement-breakpoint
ALTER TABLE "server_state" ADD CONSTRAINT "server_state_uses" CHECK ("server_state"."store_uses" >= 0);--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_way" CHECK ("sessions"."signed_in_by" in ('password', 'passkey'));--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_received" CHECK ("uploads"."received" between 0 and "uploads"."bytes");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_complete" CHECK (("uploads"."type" is null) = ("uploads"."sha256" is null)
        and ("uploads"."sha256" is null or "uploads"."received" = "uploads"."bytes"));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_limits" CHECK ("users"."storage_limit_mb" >= 0 and "users"."capsules_a_day" >= 0);