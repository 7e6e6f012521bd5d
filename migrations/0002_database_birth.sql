-- A database that is there already began, as far as anybody knows, with its first person or capsule.
ALTER TABLE "server_state" ADD COLUMN "born_at" timestamp with time zone;--> statement-breakpoint
UPDATE "server_state" SET "born_at" = least("last_seen_at", (SELECT min("created_at") FROM "users"), (SELECT min("created_at") FROM "capsules"));--> statement-breakpoint
ALTER TABLE "server_state" ALTER COLUMN "born_at" SET NOT NULL;--> statement-breakpoint
-- For a server of the version before, beside this one or after it.
ALTER TABLE "server_state" ALTER COLUMN "born_at" SET DEFAULT now();
