CREATE TABLE "film_roots" (
	"number" integer PRIMARY KEY NOT NULL,
	"folder" text NOT NULL,
	"is_chosen" boolean DEFAULT false NOT NULL,
	CONSTRAINT "film_roots_folder_unique" UNIQUE("folder"),
	CONSTRAINT "film_roots_number" CHECK ("film_roots"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "passed_over" (
	"path" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "passed_over_reason" CHECK ("passed_over"."reason" in ('empty', 'format', 'disc_image', 'disc_folder', 'link_outside', 'link_broken', 'name'))
);
--> statement-breakpoint
CREATE TABLE "folder_facts" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"stamp" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "title_records" DROP CONSTRAINT "title_records_source";--> statement-breakpoint
ALTER TABLE "episode_records" DROP CONSTRAINT "episode_records_source";--> statement-breakpoint
ALTER TABLE "relation_records" DROP CONSTRAINT "relation_records_source";--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "link_target" text;--> statement-breakpoint
ALTER TABLE "folder_facts" ADD CONSTRAINT "folder_facts_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "films_unknown" ON "films" USING btree ("id") WHERE "films"."inspection" ->> 'container' = 'other';--> statement-breakpoint
ALTER TABLE "title_records" ADD CONSTRAINT "title_records_source" CHECK ("title_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter', 'folder'));--> statement-breakpoint
ALTER TABLE "episode_records" ADD CONSTRAINT "episode_records_source" CHECK ("episode_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter', 'folder'));--> statement-breakpoint
ALTER TABLE "relation_records" ADD CONSTRAINT "relation_records_source" CHECK ("relation_records"."source" in ('operator', 'file', 'engawa', 'jikan', 'offline-database', 'anime-lists', 'before', 'starter', 'folder'));