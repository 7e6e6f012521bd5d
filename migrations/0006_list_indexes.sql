DROP INDEX "capsule_recipients_user";--> statement-breakpoint
DROP INDEX "capsules_creator";--> statement-breakpoint
CREATE INDEX "capsule_recipients_user" ON "capsule_recipients" USING btree ("user_id","created_at","capsule_id");--> statement-breakpoint
CREATE INDEX "capsules_creator" ON "capsules" USING btree ("creator_id","created_at","id");