CREATE TABLE "title_ids" (
	"mal_id" integer NOT NULL,
	"site" text NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"season" smallint,
	CONSTRAINT "title_ids_mal_id_site_external_id_pk" PRIMARY KEY("mal_id","site","external_id"),
	CONSTRAINT "title_ids_site" CHECK ("title_ids"."site" in ('anidb', 'anilist', 'anime-planet', 'animecountdown', 'anisearch', 'ann', 'imdb', 'kitsu', 'livechart', 'notify', 'simkl', 'tmdb-movie', 'tmdb-tv', 'tvdb')),
	CONSTRAINT "title_ids_external_id" CHECK ("title_ids"."external_id" <> ''),
	CONSTRAINT "title_ids_season" CHECK ("title_ids"."season" >= 0)
);
--> statement-breakpoint
ALTER TABLE "title_ids" ADD CONSTRAINT "title_ids_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "title_ids_by_id" ON "title_ids" USING btree ("site","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "title_ids_one_to_one" ON "title_ids" USING btree ("site","external_id") WHERE "title_ids"."site" in ('anidb', 'anilist', 'anime-planet', 'animecountdown', 'anisearch', 'kitsu', 'livechart', 'notify', 'simkl');