-- Who made a link before this was told that it says nothing of whom it is for.
ALTER TABLE "contribution_links" ADD COLUMN "is_surprise" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "contribution_links" ALTER COLUMN "is_surprise" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "recipient_names" text[];--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "date_to_unlock" text;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "link_number" integer DEFAULT 0 NOT NULL;