DROP INDEX "mails_due";--> statement-breakpoint
ALTER TABLE "server_state" ADD COLUMN "files_listed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ((case "kind" when 'capsule-opened' then 1 when 'capsule-waiting' then 2 else 0 end),"next_attempt_at") WHERE "mails"."state" = 'queued';