ALTER TABLE "watch_list" ADD COLUMN "ticks" "int4multirange" DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "watch_list" SET "ticks" = int4multirange(int4range(1, "progress" + 1)) + coalesce((
	SELECT range_agg(int4range("episode", "episode" + 1)) FROM "watch_history"
	WHERE "watch_history"."user_id" = "watch_list"."user_id" AND "watch_history"."mal_id" = "watch_list"."mal_id"
		AND "watched_at" < "added_at" AND "episode" <= 100000), '{}');--> statement-breakpoint
ALTER TABLE "watch_list" DROP CONSTRAINT "watch_list_progress";--> statement-breakpoint
ALTER TABLE "watch_list" ALTER COLUMN "progress" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "watch_list" drop column "progress";--> statement-breakpoint
ALTER TABLE "watch_list" ADD COLUMN "progress" integer GENERATED ALWAYS AS (coalesce(upper(ticks) - 1, 0)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "watch_list" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "watch_list" ADD COLUMN "rewatch_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "watch_list" ADD COLUMN "rewatch_progress" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "watch_list" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_state" CHECK ("watch_list"."state" in ('on_hold', 'dropped', 'rewatching') and type = case state when 'on_hold' then 'Watching' when 'dropped' then 'Collection' when 'rewatching' then 'Watching' else type end);--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_ticks" CHECK ("watch_list"."ticks" <@ '{[1,100001)}'::int4multirange);--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_rewatch_count" CHECK ("watch_list"."rewatch_count" between 0 and 10000);--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_rewatch_progress" CHECK ("watch_list"."rewatch_progress" between 0 and (case when state = 'rewatching' then 100000 else 0 end));--> statement-breakpoint
ALTER TABLE "watch_list" ADD CONSTRAINT "watch_list_tags" CHECK (cardinality("watch_list"."tags") <= 50 and char_length(array_to_string("watch_list"."tags", '')) <= 50 * 60);