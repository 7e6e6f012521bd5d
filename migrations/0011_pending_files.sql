-- Contract: no released version has these columns, and servers from before 1.0.0 are stopped before this one starts.
CREATE TABLE "pending_files" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone
);
--> statement-breakpoint
INSERT INTO "pending_files" ("storage_key") SELECT "storage_key" FROM "released_files";--> statement-breakpoint
DROP TABLE "released_files";--> statement-breakpoint
ALTER TABLE "server_state" DROP CONSTRAINT "server_state_uses";--> statement-breakpoint
ALTER TABLE "server_state" DROP COLUMN "born_at";--> statement-breakpoint
ALTER TABLE "server_state" DROP COLUMN "store_uses";--> statement-breakpoint
ALTER TABLE "server_state" DROP COLUMN "files_listed_at";
