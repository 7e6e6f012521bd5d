CREATE INDEX "capsule_keys_held" ON "capsule_keys" USING btree ("lease_until") WHERE "capsule_keys"."state" = 'receiving';--> statement-breakpoint
CREATE INDEX "mails_address" ON "mails" USING btree ("to_address");--> statement-breakpoint
CREATE INDEX "mails_sent" ON "mails" USING btree ("sent_at") WHERE "mails"."state" = 'sent' and "mails"."capsule_id" is null;--> statement-breakpoint
CREATE INDEX "mails_dropped" ON "mails" USING btree ("created_at") WHERE "mails"."state" = 'dropped';--> statement-breakpoint
CREATE INDEX "users_avatar" ON "users" USING btree ("avatar_key") WHERE "users"."avatar_key" is not null;