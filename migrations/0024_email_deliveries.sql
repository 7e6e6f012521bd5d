ALTER TABLE "mails" ADD COLUMN "provider_id" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "delivery" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "delivered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "repeats" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "repeated_at" timestamp with time zone;