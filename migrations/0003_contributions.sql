CREATE TABLE "contribution_links" (
	"user_id" uuid NOT NULL,
	"draft_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"words" text NOT NULL,
	"until" date,
	"ends_at" timestamp with time zone,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "contribution_links_user_id_draft_id_pk" PRIMARY KEY("user_id","draft_id"),
	CONSTRAINT "contribution_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "contribution_links_until" CHECK (("contribution_links"."until" is null) = ("contribution_links"."ends_at" is null))
);
--> statement-breakpoint
CREATE TABLE "contributions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"draft_id" uuid,
	"capsule_id" uuid,
	"name" text NOT NULL,
	"letter" text NOT NULL,
	"files" text NOT NULL,
	"revision" integer NOT NULL,
	"secret_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "contributions_place" CHECK (num_nonnulls("contributions"."draft_id", "contributions"."capsule_id") = 1),
	CONSTRAINT "contributions_revision" CHECK ("contributions"."revision" >= 1)
);
--> statement-breakpoint
ALTER TABLE "capsule_files" ADD COLUMN "contribution_id" uuid;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "contribution_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "contribution_id" uuid;--> statement-breakpoint
ALTER TABLE "contribution_links" ADD CONSTRAINT "contribution_links_draft" FOREIGN KEY ("user_id","draft_id") REFERENCES "public"."drafts"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_of_draft" FOREIGN KEY ("user_id","draft_id") REFERENCES "public"."drafts"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contributions_draft" ON "contributions" USING btree ("user_id","draft_id");--> statement-breakpoint
CREATE INDEX "contributions_capsule" ON "contributions" USING btree ("capsule_id");