CREATE TABLE "device_code_guesses" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"window_start" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"guesses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "device_code_guesses_count" CHECK ("device_code_guesses"."guesses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "device_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secret_hash" text NOT NULL,
	"user_code_hash" text NOT NULL,
	"device" text NOT NULL,
	"network_hash" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"interval_seconds" smallint DEFAULT 5 NOT NULL,
	"last_polled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_codes_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "device_codes_user_code_hash_unique" UNIQUE("user_code_hash"),
	CONSTRAINT "device_codes_secret_hash" CHECK ("device_codes"."secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "device_codes_user_code_hash" CHECK ("device_codes"."user_code_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "device_codes_network_hash" CHECK ("device_codes"."network_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "device_codes_state" CHECK ("device_codes"."state" in ('pending', 'confirmed', 'denied', 'used')),
	CONSTRAINT "device_codes_confirmed_by" CHECK ("device_codes"."state" in ('pending', 'used') or "device_codes"."user_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_kind";--> statement-breakpoint
ALTER TABLE "device_code_guesses" ADD CONSTRAINT "device_code_guesses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_codes_user" ON "device_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_codes_session" ON "device_codes" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "device_codes_created" ON "device_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "device_codes_network" ON "device_codes" USING btree ("network_hash","created_at");--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'birthday_removed', 'profile_added', 'profile_deleted', 'profile_left', 'ceiling_changed', 'device_confirmed', 'invitation_made', 'invitation_revoked', 'pin_changed', 'pins_failed', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'catalog_imported', 'title_edited', 'local_title_replaced', 'backup_made', 'backup_restored'));