CREATE TABLE "ordered_deletions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"capsules" text NOT NULL,
	"ordered_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ordered_deletions" ADD CONSTRAINT "ordered_deletions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ordered_deletions_due" ON "ordered_deletions" USING btree ("due_at");