CREATE TABLE "tags" (
	"kind" text NOT NULL,
	"mal_id" integer NOT NULL,
	"name" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	CONSTRAINT "tags_kind_mal_id_pk" PRIMARY KEY("kind","mal_id"),
	CONSTRAINT "tags_key" UNIQUE("kind","key"),
	CONSTRAINT "tags_kind" CHECK ("tags"."kind" in ('genre', 'theme', 'demographic', 'producer')),
	CONSTRAINT "tags_mal_id" CHECK ("tags"."mal_id" > 0),
	CONSTRAINT "tags_key_not_empty" CHECK ("tags"."key" <> '')
);
--> statement-breakpoint
CREATE TABLE "title_records" (
	"mal_id" integer NOT NULL,
	"source" text NOT NULL,
	"fields" jsonb NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "title_records_mal_id_source_pk" PRIMARY KEY("mal_id","source"),
	CONSTRAINT "title_records_source" CHECK ("title_records"."source" in ('operator', 'file', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter'))
);
--> statement-breakpoint
ALTER TABLE "title_records" ADD CONSTRAINT "title_records_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;