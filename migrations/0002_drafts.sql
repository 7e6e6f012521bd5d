CREATE TABLE "drafts" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"revision" bigint NOT NULL,
	"content" text,
	"gone" text,
	"written_on" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ask_due_at" timestamp with time zone,
	CONSTRAINT "drafts_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "drafts_gone" CHECK ("drafts"."gone" in ('sealed', 'discarded')),
	CONSTRAINT "drafts_content" CHECK (num_nulls("drafts"."content", "drafts"."ask_due_at") = case when "drafts"."gone" is null then 0 else 2 end)
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "draft_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "drafts_only_on_device" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "drafts_changes" ON "drafts" USING btree ("user_id","revision");--> statement-breakpoint
CREATE INDEX "drafts_ended" ON "drafts" USING btree ("written_at") WHERE "drafts"."gone" is not null;--> statement-breakpoint
CREATE INDEX "drafts_ask_due" ON "drafts" USING btree ("ask_due_at") WHERE "drafts"."ask_due_at" is not null;