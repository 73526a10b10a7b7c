CREATE TABLE "films" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"path" text NOT NULL,
	"size" bigint,
	"modified_ms" bigint,
	"fingerprint" text,
	"arrived_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp (3) with time zone,
	"inspection" jsonb,
	"key_frames" "bytea",
	CONSTRAINT "films_path_unique" UNIQUE("path"),
	CONSTRAINT "films_size" CHECK ("films"."size" >= 0)
);
--> statement-breakpoint
ALTER TABLE "episode_sources" ADD COLUMN "film_id" uuid;--> statement-breakpoint
ALTER TABLE "episode_sources" ADD CONSTRAINT "episode_sources_film_id_films_id_fk" FOREIGN KEY ("film_id") REFERENCES "public"."films"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "episode_sources_film" ON "episode_sources" USING btree ("film_id") WHERE "episode_sources"."film_id" is not null;--> statement-breakpoint
INSERT INTO "films" ("path") SELECT DISTINCT regexp_replace("url", '^media:/*', '', 'i') FROM "episode_sources" WHERE "url" ~* '^media:/*[^/]';--> statement-breakpoint
UPDATE "episode_sources" SET "film_id" = "films"."id" FROM "films" WHERE "url" ~* '^media:/*[^/]' AND "films"."path" = regexp_replace("url", '^media:/*', '', 'i');
