-- Computed by the database, so that capsules of a server of the version before are counted too.
DROP INDEX "capsules_creator_unlock";--> statement-breakpoint
ALTER TABLE "capsules" ADD COLUMN "text_bytes" integer GENERATED ALWAYS AS (octet_length(title) + octet_length(description) + octet_length(personal_message)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "capsules_creator_unlock" ON "capsules" USING btree ("creator_id","unlock_at","id","created_at","date_to_unlock","total_bytes","text_bytes");