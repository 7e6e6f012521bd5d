CREATE TABLE "binned_capsules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"capsule_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"deleted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "binned_capsules_capsule_id_unique" UNIQUE("capsule_id")
);
--> statement-breakpoint
CREATE TABLE "binned_recipients" (
	"capsule_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"unlock_at" timestamp with time zone NOT NULL,
	"date_to_unlock" date NOT NULL,
	"is_creator" boolean,
	"hidden" boolean DEFAULT false NOT NULL,
	"hidden_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	CONSTRAINT "binned_recipients_capsule_id_user_id_pk" PRIMARY KEY("capsule_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "binned_capsules" ADD CONSTRAINT "binned_capsules_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_capsules" ADD CONSTRAINT "binned_capsules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD CONSTRAINT "binned_recipients_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD CONSTRAINT "binned_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "binned_capsules_owner" ON "binned_capsules" USING btree ("owner_id","deleted_at");--> statement-breakpoint
CREATE INDEX "binned_capsules_deleted" ON "binned_capsules" USING btree ("deleted_at");--> statement-breakpoint
CREATE INDEX "binned_recipients_user" ON "binned_recipients" USING btree ("user_id");