CREATE TABLE "episode_records" (
	"mal_id" integer NOT NULL,
	"number" integer NOT NULL,
	"source" text NOT NULL,
	"fields" jsonb NOT NULL,
	CONSTRAINT "episode_records_mal_id_number_source_pk" PRIMARY KEY("mal_id","number","source"),
	CONSTRAINT "episode_records_source" CHECK ("episode_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter'))
);
--> statement-breakpoint
CREATE TABLE "relation_records" (
	"mal_id" integer NOT NULL,
	"related_id" integer NOT NULL,
	"relation" text NOT NULL,
	"source" text NOT NULL,
	"is_present" boolean DEFAULT true NOT NULL,
	"name" text,
	CONSTRAINT "relation_records_mal_id_related_id_relation_source_pk" PRIMARY KEY("mal_id","related_id","relation","source"),
	CONSTRAINT "relation_records_relation" CHECK ("relation_records"."relation" in ('sequel', 'prequel', 'alternative_version', 'alternative_setting', 'side_story', 'parent_story', 'summary', 'full_story', 'spin_off', 'character', 'other')),
	CONSTRAINT "relation_records_source" CHECK ("relation_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter')),
	CONSTRAINT "relation_records_is_present" CHECK ("relation_records"."is_present" or "relation_records"."source" = 'operator')
);
--> statement-breakpoint
CREATE TABLE "title_edits" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"mal_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" uuid,
	"field" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "title_pictures" (
	"cid" text NOT NULL,
	"mal_id" integer NOT NULL,
	CONSTRAINT "title_pictures_cid_mal_id_pk" PRIMARY KEY("cid","mal_id")
);
--> statement-breakpoint
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_kind";--> statement-breakpoint
ALTER TABLE "episode_records" ADD CONSTRAINT "episode_records_episode" FOREIGN KEY ("mal_id","number") REFERENCES "public"."episodes"("mal_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relation_records" ADD CONSTRAINT "relation_records_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_edits" ADD CONSTRAINT "title_edits_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_edits" ADD CONSTRAINT "title_edits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_pictures" ADD CONSTRAINT "title_pictures_cid_stored_images_cid_fk" FOREIGN KEY ("cid") REFERENCES "public"."stored_images"("cid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_pictures" ADD CONSTRAINT "title_pictures_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "title_edits_newest" ON "title_edits" USING btree ("mal_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "title_edits_user" ON "title_edits" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "title_pictures_title" ON "title_pictures" USING btree ("mal_id");--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_kind" CHECK ("security_events"."kind" in ('sign_up', 'sign_in', 'sign_in_new_network', 'sign_ins_failed', 'password_changed', 'password_reset', 'reset_link_made', 'token_made', 'token_revoked', 'session_ended', 'sessions_ended', 'provider_linked', 'operator_added', 'operator_removed', 'account_disabled', 'account_enabled', 'birthday_removed', 'account_deleted', 'account_exported', 'account_imported', 'source_headers_changed', 'catalog_imported', 'title_edited', 'local_title_replaced', 'backup_made', 'backup_restored'));