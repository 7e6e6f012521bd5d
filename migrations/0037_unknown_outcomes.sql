ALTER TABLE "mails" ADD COLUMN "unknown_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "resent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "to_second" boolean DEFAULT false NOT NULL;