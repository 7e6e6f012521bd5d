-- For searches in names, addresses and texts.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "account_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"slot" text NOT NULL,
	"new_address" text,
	"password_hash" text,
	"sent_to" text,
	"created_at" timestamp with time zone NOT NULL,
	"confirm_until" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"takes_effect_at" timestamp with time zone NOT NULL,
	"objection_until" timestamp with time zone,
	"undone_at" timestamp with time zone,
	"previous_main" text,
	"previous_main_confirmed" boolean,
	"previous_second" text,
	CONSTRAINT "account_changes_password" CHECK (case when slot = 'password'
        then num_nulls(password_hash, sent_to) = 0
          and num_nonnulls(new_address, confirm_until, confirmed_at, objection_until) = 0
        else num_nonnulls(password_hash, sent_to) = 0 end),
	CONSTRAINT "account_changes_address" CHECK (slot = 'password' or slot in ('main', 'second')
        and (new_address is not null or slot = 'second' and objection_until is not null)
        and (confirm_until is not null or objection_until is not null)),
	CONSTRAINT "account_changes_effect" CHECK (case when objection_until is null
        then num_nonnulls(previous_main, previous_main_confirmed, previous_second, undone_at) = 0
        else num_nulls(confirmed_at, previous_main, previous_main_confirmed) = 0 end)
);
--> statement-breakpoint
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
	"is_creator" boolean NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"blocked" boolean DEFAULT false NOT NULL,
	"hidden_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	"read_answered_at" timestamp with time zone,
	"told_opened_on" date,
	CONSTRAINT "binned_recipients_capsule_id_user_id_pk" PRIMARY KEY("capsule_id","user_id"),
	CONSTRAINT "binned_recipients_position" CHECK ("binned_recipients"."position" >= 0),
	CONSTRAINT "binned_recipients_put_away" CHECK ("binned_recipients"."hidden" or not "binned_recipients"."blocked")
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"user_id" uuid NOT NULL,
	"blocked_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "blocks_user_id_blocked_id_pk" PRIMARY KEY("user_id","blocked_id"),
	CONSTRAINT "blocks_another" CHECK ("blocks"."user_id" <> "blocks"."blocked_id")
);
--> statement-breakpoint
CREATE TABLE "capsule_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"capsule_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"lost_at" timestamp with time zone,
	"upload_id" uuid,
	"contribution_id" uuid,
	CONSTRAINT "capsule_files_storage_key_unique" UNIQUE("storage_key"),
	CONSTRAINT "capsule_files_counts" CHECK ("capsule_files"."position" >= 0 and "capsule_files"."bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "capsule_keys" (
	"user_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"state" text NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"claim" uuid NOT NULL,
	"fingerprint" text,
	"capsule_id" uuid,
	CONSTRAINT "capsule_keys_user_id_key_pk" PRIMARY KEY("user_id","key"),
	CONSTRAINT "capsule_keys_state" CHECK ("capsule_keys"."state" in ('receiving', 'done')),
	CONSTRAINT "capsule_keys_done" CHECK (("capsule_keys"."state" = 'done') = ("capsule_keys"."fingerprint" is not null)),
	CONSTRAINT "capsule_keys_sealed" CHECK ("capsule_keys"."capsule_id" is null or "capsule_keys"."state" = 'done')
);
--> statement-breakpoint
CREATE TABLE "capsule_recipients" (
	"capsule_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"unlock_at" timestamp with time zone NOT NULL,
	"date_to_unlock" date NOT NULL,
	"is_creator" boolean NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"blocked" boolean DEFAULT false NOT NULL,
	"hidden_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	"read_answered_at" timestamp with time zone,
	"told_opened_on" date,
	CONSTRAINT "capsule_recipients_capsule_id_user_id_pk" PRIMARY KEY("capsule_id","user_id"),
	CONSTRAINT "capsule_recipients_position" CHECK ("capsule_recipients"."position" >= 0),
	CONSTRAINT "capsule_recipients_put_away" CHECK ("capsule_recipients"."hidden" or not "capsule_recipients"."blocked")
);
--> statement-breakpoint
CREATE TABLE "capsules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid,
	"departed_creator" text,
	"departed_address" text,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"personal_message" text NOT NULL,
	"date_to_unlock" date NOT NULL,
	"time_zone" text NOT NULL,
	"unlock_at" timestamp with time zone NOT NULL,
	"notify_recipient" boolean NOT NULL,
	"media_count" integer NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"total_bytes" bigint NOT NULL,
	"text_bytes" integer GENERATED ALWAYS AS (octet_length(title) + octet_length(description) + octet_length(personal_message)) STORED NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"opened_notice_at" timestamp with time zone,
	CONSTRAINT "capsules_counts" CHECK ("capsules"."media_count" >= 0 and "capsules"."refusals" >= 0 and "capsules"."total_bytes" >= 0),
	CONSTRAINT "capsules_departed" CHECK ("capsules"."departed_address" is null or "capsules"."departed_creator" is not null)
);
--> statement-breakpoint
CREATE TABLE "contribution_links" (
	"user_id" uuid NOT NULL,
	"draft_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"words" text NOT NULL,
	"is_surprise" boolean DEFAULT false NOT NULL,
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
	"former_secret_hash" text,
	"removed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "contributions_place" CHECK (num_nonnulls("contributions"."draft_id", "contributions"."capsule_id") = 1),
	CONSTRAINT "contributions_revision" CHECK ("contributions"."revision" >= 1)
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"revision" bigint NOT NULL,
	"content" text,
	"title" text,
	"recipient_names" text[],
	"date_to_unlock" text,
	"writes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"link_number" integer DEFAULT 0 NOT NULL,
	"gone" text,
	"written_on" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drafts_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "drafts_gone" CHECK ("drafts"."gone" in ('sealed', 'discarded')),
	CONSTRAINT "drafts_content" CHECK (("drafts"."content" is null) = ("drafts"."gone" is not null))
);
--> statement-breakpoint
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
CREATE TABLE "identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"last_used_on" date
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"inviter_id" uuid,
	"user_id" uuid,
	"address_hash" text NOT NULL,
	"name" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid NOT NULL,
	"subject_id" uuid,
	"sent_to" text,
	"requested_by" text,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "link_tokens_purpose" CHECK ("link_tokens"."purpose" in ('reset', 'verify', 'invitation', 'confirm', 'undo', 'answer-password')),
	CONSTRAINT "link_tokens_reset" CHECK (("link_tokens"."purpose" = 'reset') = ("link_tokens"."requested_by" is not null)),
	CONSTRAINT "link_tokens_proof" CHECK ("link_tokens"."sent_to" is not null or "link_tokens"."purpose" not in ('reset', 'verify')),
	CONSTRAINT "link_tokens_used" CHECK ("link_tokens"."used_at" is null or "link_tokens"."purpose" = 'invitation')
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
CREATE TABLE "operator_actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"command" text NOT NULL,
	"user_id" uuid,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_on" date,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id"),
	CONSTRAINT "passkeys_counter" CHECK ("passkeys"."counter" >= 0)
);
--> statement-breakpoint
CREATE TABLE "pending_files" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "push_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"subscription_id" uuid NOT NULL,
	"capsule_ids" uuid[] NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_messages_counts" CHECK ("push_messages"."attempts" >= 0 and cardinality("push_messages"."capsule_ids") > 0)
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"touched_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_subscriptions_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
-- Counted attempts may be lost with a crash, and cost no write-ahead log.
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reporter_id" uuid,
	"capsule_id" uuid,
	"contribution_id" uuid,
	"user_id" uuid,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"note" text,
	CONSTRAINT "reports_reason" CHECK ("reports"."reason" in ('spam', 'harassment', 'threat', 'sexual', 'child', 'impersonation', 'illegal', 'other')),
	CONSTRAINT "reports_about" CHECK (num_nonnulls("reports"."capsule_id", "reports"."user_id") > 0)
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
	"is_second_try" boolean DEFAULT false NOT NULL,
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
	CONSTRAINT "sendings_counts" CHECK ("sendings"."number" >= 1 and "sendings"."attempts" >= 0),
	CONSTRAINT "sendings_addressed" CHECK ("sendings"."address" is not null or "sendings"."sent_at" is null)
);
--> statement-breakpoint
CREATE TABLE "server_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"store_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"store_is_marked" boolean DEFAULT false NOT NULL,
	"address_key" uuid,
	"maintenance_since" timestamp with time zone,
	"moved_to" text,
	"moved_store_id" uuid,
	"confirms_addresses" boolean DEFAULT false NOT NULL,
	"notice_link_key" text,
	"vapid_public_key" text,
	"vapid_private_key" text,
	"bounces_read_to" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"device" text DEFAULT '' NOT NULL,
	"signed_in_by" text DEFAULT 'password' NOT NULL,
	"last_used_on" date,
	"confirmed_until" timestamp with time zone,
	CONSTRAINT "sessions_way" CHECK ("sessions"."signed_in_by" in ('password', 'passkey', 'provider'))
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"received" bigint NOT NULL,
	"storage_key" text NOT NULL,
	"type" text,
	"sha256" text,
	"draft_id" uuid,
	"contribution_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"touched_at" timestamp with time zone NOT NULL,
	CONSTRAINT "uploads_storage_key_unique" UNIQUE("storage_key"),
	CONSTRAINT "uploads_received" CHECK ("uploads"."received" between 0 and "uploads"."bytes"),
	CONSTRAINT "uploads_complete" CHECK (("uploads"."type" is null) = ("uploads"."sha256" is null)
        and ("uploads"."sha256" is null or "uploads"."received" = "uploads"."bytes"))
);
--> statement-breakpoint
CREATE TABLE "used_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"bio" text DEFAULT '' NOT NULL,
	"avatar_key" text,
	"password_hash" text,
	"email_verified_at" timestamp with time zone,
	"email_bounced_at" timestamp with time zone,
	"second_email" text,
	"address_asked_at" timestamp with time zone,
	"unwanted_notices" text[] DEFAULT '{}' NOT NULL,
	"tells_when_read" boolean,
	"passkey_asked_since" timestamp with time zone,
	"passkey_asked_at_host" text,
	"device_round" integer DEFAULT 0 NOT NULL,
	"drafts_only_on_device" boolean DEFAULT false NOT NULL,
	"suspended_at" timestamp with time zone,
	"admitted_at" timestamp with time zone,
	"deletion_due_at" timestamp with time zone,
	"deletion_capsules" text,
	"storage_limit_mb" integer,
	"capsules_a_day" integer,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_limits" CHECK ("users"."storage_limit_mb" >= 0 and "users"."capsules_a_day" >= 0),
	CONSTRAINT "users_deletion_capsules" CHECK ("users"."deletion_capsules" in ('deliver', 'destroy')),
	CONSTRAINT "users_deletion" CHECK (("users"."deletion_due_at" is null) = ("users"."deletion_capsules" is null))
);
--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_capsules" ADD CONSTRAINT "binned_capsules_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_capsules" ADD CONSTRAINT "binned_capsules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD CONSTRAINT "binned_recipients_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "binned_recipients" ADD CONSTRAINT "binned_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocked_id_users_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capsule_files" ADD CONSTRAINT "capsule_files_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capsule_keys" ADD CONSTRAINT "capsule_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capsule_keys" ADD CONSTRAINT "capsule_keys_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capsule_recipients" ADD CONSTRAINT "capsule_recipients_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capsule_recipients" ADD CONSTRAINT "capsule_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capsules" ADD CONSTRAINT "capsules_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contribution_links" ADD CONSTRAINT "contribution_links_draft" FOREIGN KEY ("user_id","draft_id") REFERENCES "public"."drafts"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_of_draft" FOREIGN KEY ("user_id","draft_id") REFERENCES "public"."drafts"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emails" ADD CONSTRAINT "emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_capsule_id_capsules_id_fk" FOREIGN KEY ("capsule_id") REFERENCES "public"."capsules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_email_id_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_actions" ADD CONSTRAINT "operator_actions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_messages" ADD CONSTRAINT "push_messages_subscription_id_push_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."push_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sendings" ADD CONSTRAINT "sendings_email_id_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_changes_waiting" ON "account_changes" USING btree ("user_id","slot") WHERE "account_changes"."objection_until" is null;--> statement-breakpoint
CREATE INDEX "account_changes_user" ON "account_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_changes_main" ON "account_changes" USING btree ("previous_main");--> statement-breakpoint
CREATE INDEX "account_changes_second" ON "account_changes" USING btree ("previous_second");--> statement-breakpoint
CREATE INDEX "binned_capsules_owner" ON "binned_capsules" USING btree ("owner_id","deleted_at");--> statement-breakpoint
CREATE INDEX "binned_capsules_deleted" ON "binned_capsules" USING btree ("deleted_at");--> statement-breakpoint
CREATE INDEX "binned_recipients_user" ON "binned_recipients" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "blocks_blocked" ON "blocks" USING btree ("blocked_id");--> statement-breakpoint
CREATE INDEX "capsule_files_capsule" ON "capsule_files" USING btree ("capsule_id","position");--> statement-breakpoint
CREATE INDEX "capsule_keys_capsule" ON "capsule_keys" USING btree ("capsule_id");--> statement-breakpoint
CREATE INDEX "capsule_keys_held" ON "capsule_keys" USING btree ("lease_until") WHERE "capsule_keys"."state" = 'receiving';--> statement-breakpoint
CREATE INDEX "capsule_recipients_user" ON "capsule_recipients" USING btree ("user_id","created_at","capsule_id");--> statement-breakpoint
CREATE INDEX "capsule_recipients_hidden" ON "capsule_recipients" USING btree ("user_id","created_at","capsule_id") WHERE "capsule_recipients"."hidden";--> statement-breakpoint
CREATE INDEX "capsule_recipients_blocked" ON "capsule_recipients" USING btree ("user_id","capsule_id") WHERE "capsule_recipients"."blocked";--> statement-breakpoint
CREATE INDEX "capsule_recipients_unseen" ON "capsule_recipients" USING btree ("user_id","unlock_at","capsule_id") WHERE ("capsule_recipients"."seen_at" is null or "capsule_recipients"."seen_at" < "capsule_recipients"."unlock_at");--> statement-breakpoint
CREATE INDEX "capsule_recipients_dates" ON "capsule_recipients" USING btree ("user_id","unlock_at","capsule_id","created_at","date_to_unlock","is_creator");--> statement-breakpoint
CREATE INDEX "capsules_creator" ON "capsules" USING btree ("creator_id","created_at","id");--> statement-breakpoint
CREATE INDEX "capsules_creator_unlock" ON "capsules" USING btree ("creator_id","unlock_at","id","created_at","date_to_unlock","total_bytes","text_bytes");--> statement-breakpoint
CREATE INDEX "capsules_texts" ON "capsules" USING gin ((title || E'\n' || description || E'\n' || coalesce(departed_creator, '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "capsules_departed" ON "capsules" USING btree ("departed_address") WHERE "capsules"."departed_address" is not null;--> statement-breakpoint
CREATE INDEX "capsules_due" ON "capsules" USING btree ("unlock_at") WHERE "capsules"."opened_notice_at" is null;--> statement-breakpoint
CREATE INDEX "capsules_told" ON "capsules" USING btree ("unlock_at") WHERE "capsules"."opened_notice_at" is not null;--> statement-breakpoint
CREATE INDEX "contributions_draft" ON "contributions" USING btree ("user_id","draft_id");--> statement-breakpoint
CREATE INDEX "contributions_capsule" ON "contributions" USING btree ("capsule_id");--> statement-breakpoint
CREATE UNIQUE INDEX "drafts_changes" ON "drafts" USING btree ("user_id","revision");--> statement-breakpoint
CREATE INDEX "drafts_ended" ON "drafts" USING btree ("written_at") WHERE "drafts"."gone" is not null;--> statement-breakpoint
CREATE INDEX "emails_user" ON "emails" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "emails_address" ON "emails" USING btree ("to_address") WHERE "emails"."to_address" is not null;--> statement-breakpoint
CREATE INDEX "emails_about" ON "emails" USING btree ("about_id") WHERE "emails"."about_id" is not null;--> statement-breakpoint
CREATE INDEX "emails_old" ON "emails" USING btree ("created_at") WHERE not "emails"."is_about_capsules";--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject" ON "identities" USING btree ("issuer","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_user" ON "identities" USING btree ("user_id","issuer");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_once" ON "invitations" USING btree ("address_hash","inviter_id");--> statement-breakpoint
CREATE INDEX "invitations_inviter" ON "invitations" USING btree ("inviter_id");--> statement-breakpoint
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "link_tokens_user" ON "link_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "link_tokens_expiry" ON "link_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notices_email" ON "notices" USING btree ("email_id");--> statement-breakpoint
CREATE INDEX "operator_actions_user" ON "operator_actions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_messages_due" ON "push_messages" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "push_messages_subscription" ON "push_messages" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_open_once" ON "reports" USING btree ((coalesce("contribution_id", "capsule_id", "user_id")),"reporter_id") WHERE "reports"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "reports_reporter" ON "reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "sendings_due" ON "sendings" USING btree ("urgency","next_attempt_at") WHERE "sendings"."outcome" is null;--> statement-breakpoint
CREATE INDEX "sendings_batch" ON "sendings" USING btree ("batch_id") WHERE "sendings"."outcome" is null and "sendings"."batch_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sendings_number" ON "sendings" USING btree ("email_id","number");--> statement-breakpoint
CREATE INDEX "sendings_provider" ON "sendings" USING btree ("provider_id") WHERE "sendings"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "sendings_given_up" ON "sendings" USING btree ("outcome_at") WHERE "sendings"."sent_at" is null and "sendings"."outcome" in ('unknown', 'failed', 'bounced');--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "uploads_user" ON "uploads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "uploads_touched" ON "uploads" USING btree ("touched_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_second_email" ON "users" USING btree ("second_email") WHERE "users"."second_email" is not null;--> statement-breakpoint
CREATE INDEX "users_address_asked" ON "users" USING btree (coalesce("address_asked_at", "created_at")) WHERE "users"."password_hash" is not null;--> statement-breakpoint
CREATE INDEX "users_deletion" ON "users" USING btree ("deletion_due_at") WHERE "users"."deletion_due_at" is not null;--> statement-breakpoint
CREATE INDEX "users_email_trigrams" ON "users" USING gin ("email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_avatar" ON "users" USING btree ("avatar_key") WHERE "users"."avatar_key" is not null;--> statement-breakpoint
CREATE INDEX "users_name_trigrams" ON "users" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree ((lower("name") collate "C"),"id");