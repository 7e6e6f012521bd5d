-- Whoever has an account has signed in before: only the first sign-in of a newer one is no news.
ALTER TABLE "users" ADD COLUMN "device_round" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "device_round" SET DEFAULT 0;
