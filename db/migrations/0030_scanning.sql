CREATE TABLE "film_decisions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"film_id" uuid,
	"folder" text,
	"mal_id" integer,
	"episode" integer,
	"last_episode" integer,
	"shift" integer,
	"decided_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "film_decisions_kind" CHECK ("film_decisions"."kind" in ('title', 'ignored', 'not_title')),
	CONSTRAINT "film_decisions_about" CHECK (num_nonnulls("film_decisions"."film_id", "film_decisions"."folder") = 1),
	CONSTRAINT "film_decisions_title" CHECK (("film_decisions"."kind" = 'ignored') = ("film_decisions"."mal_id" is null))
);
--> statement-breakpoint
CREATE TABLE "scan_requests" (
	"folder" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scan_requests_reason" CHECK ("scan_requests"."reason" in ('start', 'schedule', 'events', 'operator', 'hook', 'command'))
);
--> statement-breakpoint
CREATE TABLE "scans" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"reason" text NOT NULL,
	"folder" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"is_to_stop" boolean DEFAULT false NOT NULL,
	"found" integer DEFAULT 0 NOT NULL,
	"judged" integer DEFAULT 0 NOT NULL,
	"registered" integer DEFAULT 0 NOT NULL,
	"unsure" integer DEFAULT 0 NOT NULL,
	"gone" integer DEFAULT 0 NOT NULL,
	"moved" integer DEFAULT 0 NOT NULL,
	"message" text,
	"problems" jsonb,
	CONSTRAINT "scans_reason" CHECK ("scans"."reason" in ('start', 'schedule', 'events', 'operator', 'hook', 'command')),
	CONSTRAINT "scans_outcome" CHECK ("scans"."outcome" in ('done', 'stopped', 'interrupted', 'failed')),
	CONSTRAINT "scans_ended" CHECK (("scans"."outcome" is null) = ("scans"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "seen_size" bigint;--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "seen_modified_ms" bigint;--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "proposal" jsonb;--> statement-breakpoint
ALTER TABLE "films" ADD COLUMN "judged_at" bigint;--> statement-breakpoint
ALTER TABLE "local_titles" ADD COLUMN "folder" text;--> statement-breakpoint
ALTER TABLE "film_decisions" ADD CONSTRAINT "film_decisions_film_id_films_id_fk" FOREIGN KEY ("film_id") REFERENCES "public"."films"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "film_decisions" ADD CONSTRAINT "film_decisions_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "film_decisions_film" ON "film_decisions" USING btree ("film_id") WHERE "film_decisions"."film_id" is not null;--> statement-breakpoint
CREATE INDEX "film_decisions_folder" ON "film_decisions" USING btree ("folder") WHERE "film_decisions"."folder" is not null;--> statement-breakpoint
CREATE INDEX "film_decisions_title_id" ON "film_decisions" USING btree ("mal_id");--> statement-breakpoint
CREATE INDEX "scans_newest" ON "scans" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "films_open" ON "films" USING btree ("state") WHERE "films"."state" <> 'registered';--> statement-breakpoint
CREATE INDEX "films_gone" ON "films" USING btree ("id") WHERE "films"."gone_at" is not null;--> statement-breakpoint
CREATE INDEX "films_arrived" ON "films" USING btree ("arrived_at");--> statement-breakpoint
ALTER TABLE "local_titles" ADD CONSTRAINT "local_titles_folder_unique" UNIQUE("folder");--> statement-breakpoint
ALTER TABLE "films" ADD CONSTRAINT "films_state" CHECK ("films"."state" in ('waiting', 'whole', 'registered', 'unsure', 'unmatched', 'extra', 'ignored'));