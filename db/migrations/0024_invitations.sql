CREATE TABLE "invitation_uses" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"invitation_id" uuid NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secret_hash" text NOT NULL,
	"user_id" uuid,
	"note" text DEFAULT '' NOT NULL,
	"max_uses" integer DEFAULT 1 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "invitations_secret_hash" CHECK ("invitations"."secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "invitations_note" CHECK (char_length("invitations"."note") <= 200),
	CONSTRAINT "invitations_uses" CHECK ("invitations"."uses" between 0 and "invitations"."max_uses")
);
--> statement-breakpoint
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_kind";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "joined_before_invitations" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "invitation_uses" ADD CONSTRAINT "invitation_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_uses" ADD CONSTRAINT "invitation_uses_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_uses_invitation" ON "invitation_uses" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitations_expiry" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'birthday_removed', 'profile_added', 'profile_deleted', 'profile_left', 'ceiling_changed', 'invitation_made', 'invitation_revoked', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'catalog_imported', 'title_edited', 'local_title_replaced', 'backup_made', 'backup_restored'));