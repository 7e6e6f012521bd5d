ALTER TABLE "server_state" ADD COLUMN "maintenance_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "storage_limit_mb" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "capsules_a_day" integer;