-- Contract: no released version has these columns, and servers from before 1.0.0 are stopped before this one starts.
DELETE FROM "emails" WHERE "kind" IN ('keepsake', 'still-sealed', 'draft-untouched');--> statement-breakpoint
ALTER TABLE "drafts" DROP CONSTRAINT "drafts_content";--> statement-breakpoint
ALTER TABLE "drafts" DROP COLUMN "ask_due_at";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "keepsake_due_at";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "still_sealed_due_at";--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_content" CHECK (("drafts"."content" is null) = ("drafts"."gone" is not null)) NOT VALID;
