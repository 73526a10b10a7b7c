CREATE TABLE "household_titles" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"verdict" text NOT NULL,
	"chosen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "household_titles_user_id_mal_id_pk" PRIMARY KEY("user_id","mal_id"),
	CONSTRAINT "household_titles_verdict" CHECK ("household_titles"."verdict" in ('allowed', 'blocked'))
);
--> statement-breakpoint
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_kind";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "ceiling" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "titles_chosen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "household_titles" ADD CONSTRAINT "household_titles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_titles" ADD CONSTRAINT "household_titles_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "household_titles_title" ON "household_titles" USING btree ("mal_id");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_ceiling" CHECK ("users"."ceiling" in ('g', 'pg', 'pg-13', 'r', 'chosen'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_ceiling_of_profile" CHECK ("users"."ceiling" is null or "users"."account_id" is not null);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_ceiling_without_birthday" CHECK ("users"."ceiling" is null or "users"."birthday" is null);--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'birthday_removed', 'profile_added', 'profile_deleted', 'profile_left', 'ceiling_changed', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'catalog_imported', 'title_edited', 'local_title_replaced', 'backup_made', 'backup_restored'));