CREATE TABLE "character_voices" (
	"mal_id" integer NOT NULL,
	"character_id" integer NOT NULL,
	"person_id" integer NOT NULL,
	"language" text NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "character_voices_mal_id_character_id_person_id_language_pk" PRIMARY KEY("mal_id","character_id","person_id","language")
);
--> statement-breakpoint
CREATE TABLE "characters" (
	"id" integer PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"name_native" text,
	"key" text COLLATE "C" NOT NULL,
	"favorites" integer,
	"picture_url" text,
	"picture_cid" text,
	CONSTRAINT "characters_source" UNIQUE("source","source_id"),
	CONSTRAINT "characters_id" CHECK ("characters"."id" > 0),
	CONSTRAINT "characters_source_known" CHECK ("characters"."source" in ('operator', 'file', 'engawa', 'jikan', 'anilist', 'offline-database', 'anime-lists', 'before', 'starter', 'folder')),
	CONSTRAINT "characters_name" CHECK ("characters"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "detail_pictures" (
	"url" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"cid" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"problem" text,
	CONSTRAINT "detail_pictures_kind" CHECK ("detail_pictures"."kind" in ('cover', 'banner', 'portrait', 'still')),
	CONSTRAINT "detail_pictures_failures" CHECK ("detail_pictures"."failures" >= 0),
	CONSTRAINT "detail_pictures_stored" CHECK ("detail_pictures"."cid" is null or "detail_pictures"."due_at" is null)
);
--> statement-breakpoint
CREATE TABLE "detail_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"day" text DEFAULT '' NOT NULL,
	"asked_today" integer DEFAULT 0 NOT NULL,
	"batch_size" smallint DEFAULT 50 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"problem" text,
	"last_person" integer DEFAULT 999999 NOT NULL,
	"last_character" integer DEFAULT 999999 NOT NULL,
	CONSTRAINT "detail_state_only" CHECK ("detail_state"."only"),
	CONSTRAINT "detail_state_batch_size" CHECK ("detail_state"."batch_size" between 1 and 50),
	CONSTRAINT "detail_state_failing" CHECK (("detail_state"."failures" > 0) = ("detail_state"."failing_since" is not null))
);
--> statement-breakpoint
CREATE TABLE "episode_stills" (
	"mal_id" integer NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	CONSTRAINT "episode_stills_mal_id_number_pk" PRIMARY KEY("mal_id","number"),
	CONSTRAINT "episode_stills_number" CHECK ("episode_stills"."number" between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" integer PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"name_native" text,
	"key" text COLLATE "C" NOT NULL,
	"favorites" integer,
	"picture_url" text,
	"picture_cid" text,
	CONSTRAINT "people_source" UNIQUE("source","source_id"),
	CONSTRAINT "people_id" CHECK ("people"."id" > 0),
	CONSTRAINT "people_source_known" CHECK ("people"."source" in ('operator', 'file', 'engawa', 'jikan', 'anilist', 'offline-database', 'anime-lists', 'before', 'starter', 'folder')),
	CONSTRAINT "people_name" CHECK ("people"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "title_characters" (
	"mal_id" integer NOT NULL,
	"character_id" integer NOT NULL,
	"role" text NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "title_characters_mal_id_character_id_pk" PRIMARY KEY("mal_id","character_id"),
	CONSTRAINT "title_characters_role" CHECK ("title_characters"."role" in ('main', 'supporting', 'background'))
);
--> statement-breakpoint
CREATE TABLE "title_details" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"reason" text,
	"opened_at" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"source" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"is_number_unknown" boolean DEFAULT false NOT NULL,
	"next_episode" integer,
	"next_airs_at" timestamp (3) with time zone,
	"cover_url" text,
	"banner_url" text,
	CONSTRAINT "title_details_reason" CHECK ("title_details"."reason" in ('opened', 'films', 'listed', 'airing')),
	CONSTRAINT "title_details_source" CHECK ("title_details"."source" in ('operator', 'file', 'engawa', 'jikan', 'anilist', 'offline-database', 'anime-lists', 'before', 'starter', 'folder')),
	CONSTRAINT "title_details_answered" CHECK (("title_details"."source" is null) = ("title_details"."answered_at" is null)),
	CONSTRAINT "title_details_failures" CHECK ("title_details"."failures" >= 0),
	CONSTRAINT "title_details_next" CHECK (("title_details"."next_episode" is null) = ("title_details"."next_airs_at" is null) and coalesce("title_details"."next_episode" > 0, true))
);
--> statement-breakpoint
CREATE TABLE "title_staff" (
	"mal_id" integer NOT NULL,
	"person_id" integer NOT NULL,
	"role" text NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "title_staff_mal_id_person_id_role_pk" PRIMARY KEY("mal_id","person_id","role"),
	CONSTRAINT "title_staff_role" CHECK ("title_staff"."role" <> '')
);
--> statement-breakpoint
CREATE TABLE "title_streams" (
	"mal_id" integer NOT NULL,
	"url" text NOT NULL,
	"site" text NOT NULL,
	"language" text,
	"position" smallint NOT NULL,
	CONSTRAINT "title_streams_mal_id_url_pk" PRIMARY KEY("mal_id","url"),
	CONSTRAINT "title_streams_url" CHECK ("title_streams"."url" ~ '^https?://')
);
--> statement-breakpoint
CREATE TABLE "title_tags" (
	"mal_id" integer NOT NULL,
	"name" text NOT NULL,
	"category" text,
	"rank" smallint NOT NULL,
	"is_spoiler" boolean NOT NULL,
	CONSTRAINT "title_tags_mal_id_name_pk" PRIMARY KEY("mal_id","name"),
	CONSTRAINT "title_tags_name" CHECK ("title_tags"."name" <> ''),
	CONSTRAINT "title_tags_rank" CHECK ("title_tags"."rank" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "title_records" DROP CONSTRAINT "title_records_source";--> statement-breakpoint
ALTER TABLE "episode_records" DROP CONSTRAINT "episode_records_source";--> statement-breakpoint
ALTER TABLE "relation_records" DROP CONSTRAINT "relation_records_source";--> statement-breakpoint
ALTER TABLE "site_settings" ADD COLUMN "details" boolean;--> statement-breakpoint
ALTER TABLE "character_voices" ADD CONSTRAINT "character_voices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "character_voices" ADD CONSTRAINT "character_voices_character" FOREIGN KEY ("mal_id","character_id") REFERENCES "public"."title_characters"("mal_id","character_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_picture_cid_stored_images_cid_fk" FOREIGN KEY ("picture_cid") REFERENCES "public"."stored_images"("cid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "detail_pictures" ADD CONSTRAINT "detail_pictures_cid_stored_images_cid_fk" FOREIGN KEY ("cid") REFERENCES "public"."stored_images"("cid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_stills" ADD CONSTRAINT "episode_stills_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_picture_cid_stored_images_cid_fk" FOREIGN KEY ("picture_cid") REFERENCES "public"."stored_images"("cid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_characters" ADD CONSTRAINT "title_characters_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_characters" ADD CONSTRAINT "title_characters_character_id_characters_id_fk" FOREIGN KEY ("character_id") REFERENCES "public"."characters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_details" ADD CONSTRAINT "title_details_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_staff" ADD CONSTRAINT "title_staff_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_staff" ADD CONSTRAINT "title_staff_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_streams" ADD CONSTRAINT "title_streams_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_tags" ADD CONSTRAINT "title_tags_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "character_voices_person" ON "character_voices" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "characters_picture" ON "characters" USING btree ("picture_url");--> statement-breakpoint
CREATE INDEX "characters_picture_cid" ON "characters" USING btree ("picture_cid");--> statement-breakpoint
CREATE INDEX "characters_key_trigrams" ON "characters" USING gin ("key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "detail_pictures_cid" ON "detail_pictures" USING btree ("cid");--> statement-breakpoint
CREATE INDEX "detail_pictures_due" ON "detail_pictures" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "episode_stills_url" ON "episode_stills" USING btree ("url");--> statement-breakpoint
CREATE INDEX "people_picture" ON "people" USING btree ("picture_url");--> statement-breakpoint
CREATE INDEX "people_picture_cid" ON "people" USING btree ("picture_cid");--> statement-breakpoint
CREATE INDEX "people_key_trigrams" ON "people" USING gin ("key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "title_characters_character" ON "title_characters" USING btree ("character_id");--> statement-breakpoint
CREATE INDEX "title_details_due" ON "title_details" USING btree ("due_at") WHERE "title_details"."reason" is not null;--> statement-breakpoint
CREATE INDEX "title_details_cover" ON "title_details" USING btree ("cover_url");--> statement-breakpoint
CREATE INDEX "title_details_banner" ON "title_details" USING btree ("banner_url");--> statement-breakpoint
CREATE INDEX "title_staff_person" ON "title_staff" USING btree ("person_id");--> statement-breakpoint
ALTER TABLE "title_records" ADD CONSTRAINT "title_records_source" CHECK ("title_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'anilist', 'offline-database', 'anime-lists', 'before', 'starter', 'folder'));--> statement-breakpoint
ALTER TABLE "episode_records" ADD CONSTRAINT "episode_records_source" CHECK ("episode_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'anilist', 'offline-database', 'anime-lists', 'before', 'starter', 'folder'));--> statement-breakpoint
ALTER TABLE "relation_records" ADD CONSTRAINT "relation_records_source" CHECK ("relation_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'anilist', 'offline-database', 'anime-lists', 'before', 'starter', 'folder'));