CREATE TABLE "feed_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"feed" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"records" integer DEFAULT 0 NOT NULL,
	"message" text,
	"report" jsonb,
	CONSTRAINT "feed_runs_outcome" CHECK ("feed_runs"."outcome" in ('imported', 'unchanged', 'failed', 'interrupted')),
	CONSTRAINT "feed_runs_ended" CHECK (("feed_runs"."outcome" is null) = ("feed_runs"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "feeds" (
	"name" text PRIMARY KEY NOT NULL,
	"etag" text,
	"last_modified" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "feeds_failures" CHECK ("feeds"."failures" >= 0)
);
--> statement-breakpoint
ALTER TABLE "feed_runs" ADD CONSTRAINT "feed_runs_feed_feeds_name_fk" FOREIGN KEY ("feed") REFERENCES "public"."feeds"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_runs_newest" ON "feed_runs" USING btree ("feed","started_at");