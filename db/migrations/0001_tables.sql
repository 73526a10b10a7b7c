CREATE TABLE "access_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secret_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "access_tokens_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "access_tokens_secret_hash" CHECK ("access_tokens"."secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "access_tokens_scope" CHECK ("access_tokens"."scope" in ('read', 'write')),
	CONSTRAINT "access_tokens_name" CHECK (char_length("access_tokens"."name") between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"cost" smallint NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credentials_cost" CHECK ("credentials"."cost" between 4 and 31)
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "known_addresses" (
	"user_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_addresses_user_id_address_hash_pk" PRIMARY KEY("user_id","address_hash"),
	CONSTRAINT "known_addresses_address_hash" CHECK ("known_addresses"."address_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "mailed_tokens" (
	"secret_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "mailed_tokens_secret_hash" CHECK ("mailed_tokens"."secret_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "mailed_tokens_kind" CHECK ("mailed_tokens"."kind" in ('reset', 'verification'))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secret_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"device" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"signed_in_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "sessions_secret_hash" CHECK ("sessions"."secret_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"window_start" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sign_in_failures_count" CHECK ("sign_in_failures"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"username" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"last_name" text,
	"avatar_url" text,
	"banner_image" text,
	"birthday" date,
	"gender" text,
	"favorite_animes" integer[] DEFAULT '{}' NOT NULL,
	"watched_animes" integer[] DEFAULT '{}' NOT NULL,
	"favorite_studios" text[] DEFAULT '{}' NOT NULL,
	"favorite_genres" text[] DEFAULT '{}' NOT NULL,
	"frequency_of_watch" text,
	"fanatic_level" text,
	"preferred_format" text,
	"profile_updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"accent" text DEFAULT '#0057E7' NOT NULL,
	"parental_control" boolean DEFAULT true NOT NULL,
	"track_search_history" boolean DEFAULT true NOT NULL,
	"title_language" text DEFAULT 'romaji' NOT NULL,
	"time_zone" text,
	"preferences_updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_email_normalised" CHECK ("users"."email" = btrim("users"."email") and "users"."email" <> ''),
	CONSTRAINT "users_username_length" CHECK (char_length("users"."username") >= 3),
	CONSTRAINT "users_role" CHECK ("users"."role" in ('user', 'operator')),
	CONSTRAINT "users_gender" CHECK ("users"."gender" in ('Male', 'Female', 'Other')),
	CONSTRAINT "users_frequency_of_watch" CHECK ("users"."frequency_of_watch" in ('Daily', 'Weekly', 'Monthly', 'Occasionally', 'Rarely')),
	CONSTRAINT "users_fanatic_level" CHECK ("users"."fanatic_level" in ('Casual Viewer', 'Regular Fan', 'Dedicated Fan', 'Otaku', 'Hardcore Otaku')),
	CONSTRAINT "users_preferred_format" CHECK ("users"."preferred_format" in ('TV', 'Movie', 'OVA', 'ONA', 'Special', 'No preference')),
	CONSTRAINT "users_title_language" CHECK ("users"."title_language" in ('romaji', 'english', 'japanese')),
	CONSTRAINT "users_accent" CHECK ("users"."accent" ~ '^#[0-9A-Fa-f]{6}$'),
	CONSTRAINT "users_birthday" CHECK ("users"."birthday" >= date '1900-01-01')
);
--> statement-breakpoint
CREATE TABLE "catalog_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "catalog_state_only" CHECK ("catalog_state"."only")
);
--> statement-breakpoint
CREATE TABLE "episode_sources" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"url" text NOT NULL,
	"type" text NOT NULL,
	"label" text,
	"language" text,
	"position" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "episode_sources_url" UNIQUE("mal_id","episode","url"),
	CONSTRAINT "episode_sources_type" CHECK ("episode_sources"."type" in ('hls', 'mp4', 'webm', 'file'))
);
--> statement-breakpoint
CREATE TABLE "episode_subtitles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"url" text NOT NULL,
	"language" text NOT NULL,
	"label" text,
	"position" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "episode_subtitles_url" UNIQUE("mal_id","episode","url")
);
--> statement-breakpoint
CREATE TABLE "episodes" (
	"mal_id" integer NOT NULL,
	"number" integer NOT NULL,
	"title" text,
	"description" text,
	"aired_at" timestamp (3) with time zone,
	"image_url" text,
	"duration_seconds" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episodes_mal_id_number_pk" PRIMARY KEY("mal_id","number"),
	CONSTRAINT "episodes_number" CHECK ("episodes"."number" between 1 and 100000),
	CONSTRAINT "episodes_duration" CHECK ("episodes"."duration_seconds" > 0)
);
--> statement-breakpoint
CREATE TABLE "seeds" (
	"name" text PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"seeded_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "skip_segments" (
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"kind" text NOT NULL,
	"start" double precision NOT NULL,
	"end" double precision NOT NULL,
	CONSTRAINT "skip_segments_mal_id_episode_kind_start_pk" PRIMARY KEY("mal_id","episode","kind","start"),
	CONSTRAINT "skip_segments_kind" CHECK ("skip_segments"."kind" in ('intro', 'outro', 'recap', 'preview')),
	CONSTRAINT "skip_segments_span" CHECK ("skip_segments"."start" >= 0 and "skip_segments"."end" > "skip_segments"."start")
);
--> statement-breakpoint
CREATE TABLE "title_aliases" (
	"mal_id" integer NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"joined" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"alias" text NOT NULL,
	CONSTRAINT "title_aliases_mal_id_key_pk" PRIMARY KEY("mal_id","key"),
	CONSTRAINT "title_aliases_kind" CHECK ("title_aliases"."kind" in ('title', 'english', 'japanese', 'synonym')),
	CONSTRAINT "title_aliases_key" CHECK ("title_aliases"."key" <> '')
);
--> statement-breakpoint
CREATE TABLE "title_relations" (
	"mal_id" integer NOT NULL,
	"relation" text NOT NULL,
	"related_id" integer NOT NULL,
	"name" text,
	CONSTRAINT "title_relations_mal_id_related_id_relation_pk" PRIMARY KEY("mal_id","related_id","relation"),
	CONSTRAINT "title_relations_relation" CHECK ("title_relations"."relation" in ('sequel', 'prequel', 'alternative_version', 'alternative_setting', 'side_story', 'parent_story', 'summary', 'full_story', 'spin_off', 'character', 'other'))
);
--> statement-breakpoint
CREATE TABLE "titles" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"title_english" text,
	"title_japanese" text,
	"title_synonyms" text[] DEFAULT '{}' NOT NULL,
	"title_key" text COLLATE "C" NOT NULL,
	"type" text,
	"source" text,
	"episodes" integer,
	"status" text,
	"aired_from" timestamp (3) with time zone,
	"aired_to" timestamp (3) with time zone,
	"duration" text,
	"rating" text,
	"score" double precision,
	"scored_by" integer,
	"popularity" integer,
	"members" integer,
	"favorites" integer,
	"synopsis" text,
	"background" text,
	"season" text,
	"year" smallint,
	"broadcast_day" text,
	"broadcast_time" text,
	"broadcast_timezone" text,
	"image_url" text,
	"image_webp" text,
	"image_small_webp" text,
	"image_large_webp" text,
	"banner_image" text,
	"youtube_id" text,
	"trailer_url" text,
	"trailer_embed_url" text,
	"trailer_image_url" text,
	"url" text,
	"approved" boolean DEFAULT true NOT NULL,
	"genres" text[] DEFAULT '{}' NOT NULL,
	"studios" text[] DEFAULT '{}' NOT NULL,
	"producers" text[] DEFAULT '{}' NOT NULL,
	"licensors" text[] DEFAULT '{}' NOT NULL,
	"themes" text[] DEFAULT '{}' NOT NULL,
	"demographics" text[] DEFAULT '{}' NOT NULL,
	"studio_keys" text[] DEFAULT '{}' NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"genre_bits" integer GENERATED ALWAYS AS ((case when 'Action' = any (genres) then 1 else 0 end) | (case when 'Adventure' = any (genres) then 2 else 0 end) | (case when 'Avant Garde' = any (genres) then 4 else 0 end) | (case when 'Award Winning' = any (genres) then 8 else 0 end) | (case when 'Boys Love' = any (genres) then 16 else 0 end) | (case when 'Comedy' = any (genres) then 32 else 0 end) | (case when 'Drama' = any (genres) then 64 else 0 end) | (case when 'Ecchi' = any (genres) then 128 else 0 end) | (case when 'Erotica' = any (genres) then 256 else 0 end) | (case when 'Fantasy' = any (genres) then 512 else 0 end) | (case when 'Girls Love' = any (genres) then 1024 else 0 end) | (case when 'Gourmet' = any (genres) then 2048 else 0 end) | (case when 'Horror' = any (genres) then 4096 else 0 end) | (case when 'Mystery' = any (genres) then 8192 else 0 end) | (case when 'Romance' = any (genres) then 16384 else 0 end) | (case when 'Sci-Fi' = any (genres) then 32768 else 0 end) | (case when 'Slice of Life' = any (genres) then 65536 else 0 end) | (case when 'Sports' = any (genres) then 131072 else 0 end) | (case when 'Supernatural' = any (genres) then 262144 else 0 end) | (case when 'Suspense' = any (genres) then 524288 else 0 end) | (case when 'Hentai' = any (genres) then 1048576 else 0 end)) STORED NOT NULL,
	"is_mature" boolean GENERATED ALWAYS AS ((coalesce(rating = 'rx', false) or genres && array['Erotica', 'Hentai'])) STORED NOT NULL,
	"has_banner" boolean GENERATED ALWAYS AS ((banner_image is not null)) STORED NOT NULL,
	"airs_from" timestamp with time zone GENERATED ALWAYS AS (coalesce(aired_from, case when status = 'Finished Airing' then '-infinity'::timestamptz
     when status = 'Currently Airing' then '-infinity'::timestamptz else 'infinity'::timestamptz end)) STORED NOT NULL,
	"airs_until" timestamp with time zone GENERATED ALWAYS AS (case
     when aired_to is not null then (aired_to at time zone 'UTC' + interval '1 day') at time zone 'UTC'
     when aired_from is null then
       case when status = 'Finished Airing' then '-infinity'::timestamptz else 'infinity'::timestamptz end
     when status = 'Finished Airing' or type in ('Movie', 'Music', 'CM', 'PV', 'TV Special')
       then (aired_from at time zone 'UTC' + interval '1 day') at time zone 'UTC'
     when episodes is not null
       then (aired_from at time zone 'UTC' + interval '7 days' * (episodes - 1) + interval '1 day') at time zone 'UTC'
     else 'infinity'::timestamptz
   end) STORED NOT NULL,
	CONSTRAINT "titles_mal_id" CHECK ("titles"."mal_id" > 0),
	CONSTRAINT "titles_title" CHECK ("titles"."title" <> ''),
	CONSTRAINT "titles_type" CHECK ("titles"."type" in ('TV', 'Movie', 'OVA', 'ONA', 'Special', 'Music', 'CM', 'PV', 'TV Special')),
	CONSTRAINT "titles_status" CHECK ("titles"."status" in ('Finished Airing', 'Currently Airing', 'Not yet aired')),
	CONSTRAINT "titles_rating" CHECK ("titles"."rating" in ('g', 'pg', 'pg-13', 'r', 'r+', 'rx')),
	CONSTRAINT "titles_season" CHECK ("titles"."season" in ('Winter', 'Spring', 'Summer', 'Fall')),
	CONSTRAINT "titles_broadcast_day" CHECK ("titles"."broadcast_day" in ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')),
	CONSTRAINT "titles_broadcast_time" CHECK ("titles"."broadcast_time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
	CONSTRAINT "titles_episodes" CHECK ("titles"."episodes" between 1 and 100000),
	CONSTRAINT "titles_score" CHECK ("titles"."score" between 0 and 10),
	CONSTRAINT "titles_year" CHECK ("titles"."year" between 1900 and 2200),
	CONSTRAINT "titles_genres" CHECK ("titles"."genres" <@ array['Action', 'Adventure', 'Avant Garde', 'Award Winning', 'Boys Love', 'Comedy', 'Drama', 'Ecchi', 'Erotica', 'Fantasy', 'Girls Love', 'Gourmet', 'Horror', 'Mystery', 'Romance', 'Sci-Fi', 'Slice of Life', 'Sports', 'Supernatural', 'Suspense', 'Hentai']),
	CONSTRAINT "titles_counts" CHECK ("titles"."scored_by" >= 0 and "titles"."popularity" >= 0 and "titles"."members" >= 0 and "titles"."favorites" >= 0)
);
--> statement-breakpoint
CREATE TABLE "image_uses" (
	"cid" text NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "image_uses_cid_user_id_kind_pk" PRIMARY KEY("cid","user_id","kind"),
	CONSTRAINT "image_uses_kind" CHECK ("image_uses"."kind" in ('upload', 'avatar', 'banner'))
);
--> statement-breakpoint
CREATE TABLE "stored_images" (
	"cid" text PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width_px" integer NOT NULL,
	"height_px" integer NOT NULL,
	"storage" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stored_images_storage" CHECK ("stored_images"."storage" in ('disk', 's3', 'ipfs')),
	CONSTRAINT "stored_images_size" CHECK ("stored_images"."bytes" > 0 and "stored_images"."width_px" > 0 and "stored_images"."height_px" > 0)
);
--> statement-breakpoint
CREATE TABLE "failed_plays" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"source_url" text,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "failed_plays_reason" CHECK (char_length("failed_plays"."reason") <= 1000)
);
--> statement-breakpoint
CREATE TABLE "import_undos" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"before" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_history" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"query" text NOT NULL,
	"searched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "search_history_query" CHECK (char_length("search_history"."query") between 1 and 1000)
);
--> statement-breakpoint
CREATE TABLE "watch_history" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"watched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watch_history_user_id_mal_id_episode_pk" PRIMARY KEY("user_id","mal_id","episode"),
	CONSTRAINT "watch_history_episode" CHECK ("watch_history"."episode" >= 1)
);
--> statement-breakpoint
CREATE TABLE "watch_list" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"type" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"score" double precision,
	"notes" text DEFAULT '' NOT NULL,
	"started_on" date,
	"finished_on" date,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watch_list_user_id_mal_id_pk" PRIMARY KEY("user_id","mal_id"),
	CONSTRAINT "watch_list_id_unique" UNIQUE("id"),
	CONSTRAINT "watch_list_type" CHECK ("watch_list"."type" in ('To Watch', 'Collection', 'Watching', 'Completed')),
	CONSTRAINT "watch_list_progress" CHECK ("watch_list"."progress" between 0 and 100000),
	CONSTRAINT "watch_list_score" CHECK ("watch_list"."score" between 0 and 10),
	CONSTRAINT "watch_list_notes" CHECK (char_length("watch_list"."notes") <= 10000)
);
--> statement-breakpoint
CREATE TABLE "watch_progress" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"position" double precision NOT NULL,
	"duration" double precision NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "watch_progress_user_id_mal_id_episode_pk" PRIMARY KEY("user_id","mal_id","episode"),
	CONSTRAINT "watch_progress_episode" CHECK ("watch_progress"."episode" >= 1),
	CONSTRAINT "watch_progress_position" CHECK ("watch_progress"."position" >= 0 and "watch_progress"."duration" >= 0)
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_addresses" ADD CONSTRAINT "known_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_failures" ADD CONSTRAINT "sign_in_failures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_sources" ADD CONSTRAINT "episode_sources_episode" FOREIGN KEY ("mal_id","episode") REFERENCES "public"."episodes"("mal_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_subtitles" ADD CONSTRAINT "episode_subtitles_episode" FOREIGN KEY ("mal_id","episode") REFERENCES "public"."episodes"("mal_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skip_segments" ADD CONSTRAINT "skip_segments_episode" FOREIGN KEY ("mal_id","episode") REFERENCES "public"."episodes"("mal_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_aliases" ADD CONSTRAINT "title_aliases_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_relations" ADD CONSTRAINT "title_relations_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_uses" ADD CONSTRAINT "image_uses_cid_stored_images_cid_fk" FOREIGN KEY ("cid") REFERENCES "public"."stored_images"("cid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_uses" ADD CONSTRAINT "image_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "failed_plays" ADD CONSTRAINT "failed_plays_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_undos" ADD CONSTRAINT "import_undos_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_history" ADD CONSTRAINT "search_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_history" ADD CONSTRAINT "watch_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_history" ADD CONSTRAINT "watch_history_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_progress" ADD CONSTRAINT "watch_progress_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_progress" ADD CONSTRAINT "watch_progress_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_user" ON "access_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "identities_user" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mailed_tokens_user" ON "mailed_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mailed_tokens_expiry" ON "mailed_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "title_aliases_key_prefix" ON "title_aliases" USING btree ("key");--> statement-breakpoint
CREATE INDEX "title_aliases_joined_prefix" ON "title_aliases" USING btree ("joined");--> statement-breakpoint
CREATE INDEX "title_aliases_key_trigrams" ON "title_aliases" USING gin ("key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "title_aliases_joined_trigrams" ON "title_aliases" USING gin ("joined" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "title_relations_related" ON "title_relations" USING btree ("related_id");--> statement-breakpoint
CREATE INDEX "titles_by_score" ON "titles" USING btree ("score" desc nulls last,"mal_id","genre_bits","is_mature","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_score_asc" ON "titles" USING btree ("score" asc nulls last,"mal_id","genre_bits","is_mature","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_title" ON "titles" USING btree ("title_key","mal_id","genre_bits","is_mature","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_title_desc" ON "titles" USING btree ("title_key" desc,"mal_id","genre_bits","is_mature","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_popularity" ON "titles" USING btree ("popularity" asc nulls last,"mal_id","genre_bits","is_mature","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_newest" ON "titles" USING btree ("aired_from" desc nulls last,"mal_id","genre_bits","is_mature","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_studios" ON "titles" USING gin ("studio_keys");--> statement-breakpoint
CREATE INDEX "image_uses_user" ON "image_uses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "failed_plays_newest" ON "failed_plays" USING btree ("at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "failed_plays_title" ON "failed_plays" USING btree ("mal_id");--> statement-breakpoint
CREATE INDEX "import_undos_user" ON "import_undos" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "search_history_newest" ON "search_history" USING btree ("user_id","searched_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "watch_history_newest" ON "watch_history" USING btree ("user_id","watched_at" DESC NULLS LAST,"mal_id","episode");--> statement-breakpoint
CREATE INDEX "watch_history_title" ON "watch_history" USING btree ("mal_id");--> statement-breakpoint
CREATE INDEX "watch_list_newest" ON "watch_list" USING btree ("user_id","updated_at" DESC NULLS LAST,"mal_id");--> statement-breakpoint
CREATE INDEX "watch_list_title" ON "watch_list" USING btree ("mal_id");--> statement-breakpoint
CREATE INDEX "watch_progress_newest" ON "watch_progress" USING btree ("user_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "watch_progress_title" ON "watch_progress" USING btree ("mal_id");