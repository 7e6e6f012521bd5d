ALTER TABLE "binned_recipients" ADD COLUMN "read_answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD COLUMN "told_opened_on" date;--> statement-breakpoint
ALTER TABLE "capsule_recipients" ADD COLUMN "read_answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "capsule_recipients" ADD COLUMN "told_opened_on" date;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tells_when_read" boolean;