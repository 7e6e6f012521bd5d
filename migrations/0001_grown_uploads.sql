-- Uploads that were under way in parts begin again; their clients still have every byte, and the
-- sweep removes the parts.
UPDATE "uploads" SET "storage_key" = 'capsules/' || gen_random_uuid(), "received" = 0 WHERE "storage_key" IS NULL;--> statement-breakpoint
DROP TABLE "upload_parts";--> statement-breakpoint
ALTER TABLE "uploads" ALTER COLUMN "storage_key" SET NOT NULL;
