CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "reports_open_once" ON "reports" USING btree ((coalesce("contribution_id", "capsule_id", "user_id")),"reporter_id") WHERE "reports"."answered_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "reports_open";
