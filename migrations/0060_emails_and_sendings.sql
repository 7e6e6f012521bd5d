CREATE TABLE "emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"to_address" text,
	"is_about_capsules" boolean NOT NULL,
	"about_id" uuid,
	"requested_by" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "emails_for_somebody" CHECK ("emails"."user_id" is not null or "emails"."to_address" is not null)
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"capsule_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email_id" uuid NOT NULL,
	CONSTRAINT "notices_capsule_id_kind_user_id_pk" PRIMARY KEY("capsule_id","kind","user_id")
);
--> statement-breakpoint
CREATE TABLE "sendings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"cause" text NOT NULL,
	"urgency" smallint NOT NULL,
	"slot" text,
	"address" text,
	"batch_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"begun_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"provider_id" text,
	"outcome" text,
	"outcome_at" timestamp with time zone,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sendings_cause" CHECK ("sendings"."cause" in ('first', 'second-address', 'unanswered', 'repeat')),
	CONSTRAINT "sendings_slot" CHECK ("sendings"."slot" in ('main', 'second')),
	CONSTRAINT "sendings_outcome" CHECK ("sendings"."outcome" in ('dropped', 'withheld', 'unknown', 'sent', 'delivered', 'failed', 'bounced', 'complained')),
	CONSTRAINT "sendings_urgency" CHECK ("sendings"."urgency" between 0 and 2),
	CONSTRAINT "sendings_open" CHECK (("sendings"."outcome" is null) = ("sendings"."next_attempt_at" is not null)),
	CONSTRAINT "sendings_ended" CHECK (("sendings"."outcome" is null) = ("sendings"."outcome_at" is null)),
	CONSTRAINT "sendings_sent" CHECK ("sendings"."sent_at" is not null or "sendings"."outcome" not in ('sent', 'delivered', 'complained')),
	CONSTRAINT "sendings_addressed" CHECK ("sendings"."address" is not null or "sendings"."sent_at" is null)
);
--> statement-breakpoint
ALTER TABLE "emails" ADD CONSTRAINT "emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_email_id_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sendings" ADD CONSTRAINT "sendings_email_id_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "emails_user" ON "emails" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "emails_address" ON "emails" USING btree ("to_address") WHERE "emails"."to_address" is not null;--> statement-breakpoint
CREATE INDEX "emails_about" ON "emails" USING btree ("about_id") WHERE "emails"."about_id" is not null;--> statement-breakpoint
CREATE INDEX "emails_old" ON "emails" USING btree ("created_at") WHERE not "emails"."is_about_capsules";--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notices_email" ON "notices" USING btree ("email_id");--> statement-breakpoint
CREATE INDEX "sendings_due" ON "sendings" USING btree ("urgency","next_attempt_at") WHERE "sendings"."outcome" is null;--> statement-breakpoint
CREATE INDEX "sendings_batch" ON "sendings" USING btree ("batch_id") WHERE "sendings"."outcome" is null and "sendings"."batch_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sendings_number" ON "sendings" USING btree ("email_id","number");--> statement-breakpoint
CREATE INDEX "sendings_provider" ON "sendings" USING btree ("provider_id") WHERE "sendings"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "sendings_given_up" ON "sendings" USING btree ("outcome_at") WHERE "sendings"."sent_at" is null and "sendings"."outcome" in ('unknown', 'failed', 'bounced');