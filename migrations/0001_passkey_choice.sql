ALTER TABLE "users" ADD COLUMN "passkey_asked_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "passkey_asked_at_host" text;