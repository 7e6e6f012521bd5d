ALTER TABLE "server_state" ADD COLUMN "notice_link_key" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "unwanted_notices" text[] DEFAULT '{}' NOT NULL;