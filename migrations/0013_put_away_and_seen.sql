ALTER TABLE "capsule_recipients" ADD COLUMN "hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What has opened before counts as seen. Defaults of one value do not rewrite the table.
ALTER TABLE "capsule_recipients" ADD COLUMN "seen_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "capsule_recipients" ALTER COLUMN "seen_at" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "capsule_recipients_hidden" ON "capsule_recipients" USING btree ("user_id","created_at","capsule_id") WHERE "capsule_recipients"."hidden";--> statement-breakpoint
CREATE INDEX "capsule_recipients_unseen" ON "capsule_recipients" USING btree ("user_id","unlock_at","capsule_id") WHERE ("capsule_recipients"."seen_at" is null or "capsule_recipients"."seen_at" < "capsule_recipients"."unlock_at");