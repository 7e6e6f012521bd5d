CREATE TABLE "address_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"which" text NOT NULL,
	"new_address" text,
	"previous_main" text NOT NULL,
	"previous_second" text,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"undone_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "address_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"does" text NOT NULL,
	"change_id" uuid,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pending_passwords" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"counts_from" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_bounced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "second_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "address_check_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_links" ADD CONSTRAINT "address_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_links" ADD CONSTRAINT "address_links_change_id_address_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."address_changes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_passwords" ADD CONSTRAINT "pending_passwords_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_changes_user" ON "address_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "address_changes_main" ON "address_changes" USING btree ("previous_main");--> statement-breakpoint
CREATE INDEX "address_changes_second" ON "address_changes" USING btree ("previous_second");--> statement-breakpoint
CREATE INDEX "address_changes_expiry" ON "address_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "address_links_user" ON "address_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "address_links_change" ON "address_links" USING btree ("change_id");--> statement-breakpoint
CREATE INDEX "address_links_expiry" ON "address_links" USING btree ("expires_at");