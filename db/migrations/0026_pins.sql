CREATE TABLE "profile_pins" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"waits_until" timestamp (3) with time zone,
	CONSTRAINT "profile_pins_failures" CHECK ("profile_pins"."failures" >= 0)
);
--> statement-breakpoint
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_kind";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "asks_who" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "profile_pins" ADD CONSTRAINT "profile_pins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'birthday_removed', 'profile_added', 'profile_deleted', 'profile_left', 'ceiling_changed', 'invitation_made', 'invitation_revoked', 'pin_changed', 'pins_failed', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'catalog_imported', 'title_edited', 'local_title_replaced', 'backup_made', 'backup_restored'));