ALTER TABLE "mails" ADD COLUMN "change_id" uuid;--> statement-breakpoint
ALTER TABLE "pending_passwords" ADD COLUMN "sent_to" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reset_links" ADD COLUMN "sent_to" text;