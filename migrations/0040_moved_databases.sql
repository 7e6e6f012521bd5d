ALTER TABLE "server_state" ADD COLUMN "store_uses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "server_state" ADD COLUMN "moved_to" text;--> statement-breakpoint
ALTER TABLE "server_state" ADD COLUMN "moved_store_id" uuid;