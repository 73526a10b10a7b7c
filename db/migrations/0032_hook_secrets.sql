CREATE TABLE "hook_secrets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"digest" text NOT NULL,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "hook_secrets_digest_unique" UNIQUE("digest"),
	CONSTRAINT "hook_secrets_digest" CHECK ("hook_secrets"."digest" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_kind";--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'birthday_removed', 'profile_added', 'profile_deleted', 'profile_left', 'ceiling_changed', 'device_confirmed', 'invitation_made', 'invitation_revoked', 'pin_changed', 'pins_failed', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'hook_made', 'hook_revoked', 'catalog_imported', 'title_edited', 'local_title_replaced', 'backup_made', 'backup_restored'));