CREATE INDEX CONCURRENTLY IF NOT EXISTS "capsule_recipients_dates" ON "capsule_recipients" USING btree ("user_id","unlock_at","capsule_id","created_at","date_to_unlock","is_creator");--> statement-breakpoint
-- The one above has all of it, for servers of the version before as well.
DROP INDEX CONCURRENTLY IF EXISTS "capsule_recipients_user_unlock";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "capsule_recipients_unlooked" ON "capsule_recipients" USING btree ("capsule_id") WHERE "capsule_recipients"."is_creator" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "capsules_texts" ON "capsules" USING gin ((title || E'\n' || description || E'\n' || coalesce(departed_creator, '')) gin_trgm_ops);
