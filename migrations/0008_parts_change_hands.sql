ALTER TABLE "contributions" ADD COLUMN "former_secret_hash" text;--> statement-breakpoint
ALTER TABLE "contributions" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "title" text;