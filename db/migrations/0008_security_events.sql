CREATE TABLE "security_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"actor" text NOT NULL,
	"operator_id" uuid,
	"detail" text DEFAULT '' NOT NULL,
	"network_hash" text,
	CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'catalog_imported', 'backup_made', 'backup_restored')),
	CONSTRAINT "security_events_actor" CHECK ("security_events"."actor" in ('member', 'operator', 'command')),
	CONSTRAINT "security_events_network_hash" CHECK ("security_events"."network_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_operator_id_users_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "security_events_at" ON "security_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "security_events_user" ON "security_events" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "security_events_operator" ON "security_events" USING btree ("operator_id");