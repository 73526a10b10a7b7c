CREATE TABLE "title_changes" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_pages" (
	"feed" text NOT NULL,
	"page" integer NOT NULL,
	"etag" text NOT NULL,
	"is_last" boolean NOT NULL,
	CONSTRAINT "feed_pages_feed_page_pk" PRIMARY KEY("feed","page")
);
--> statement-breakpoint
ALTER TABLE "title_records" DROP CONSTRAINT "title_records_source";--> statement-breakpoint
ALTER TABLE "catalog_state" ADD COLUMN "identity" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "feeds" ADD COLUMN "position" text;--> statement-breakpoint
ALTER TABLE "feeds" ADD COLUMN "catalogs" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "feeds" ADD COLUMN "chosen_interval_ms" bigint;--> statement-breakpoint
ALTER TABLE "feed_pages" ADD CONSTRAINT "feed_pages_feed_feeds_name_fk" FOREIGN KEY ("feed") REFERENCES "public"."feeds"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "title_changes_by_version" ON "title_changes" USING btree ("version","mal_id");--> statement-breakpoint
ALTER TABLE "title_records" ADD CONSTRAINT "title_records_source" CHECK ("title_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter'));--> statement-breakpoint
INSERT INTO "title_changes" ("mal_id", "version") SELECT "titles"."mal_id", "catalog_state"."version" FROM "titles", "catalog_state";
