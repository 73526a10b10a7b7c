DROP INDEX "title_edits_newest";--> statement-breakpoint
DROP INDEX "failed_plays_newest";--> statement-breakpoint
DROP INDEX "search_history_newest";--> statement-breakpoint
DROP INDEX "watch_history_newest";--> statement-breakpoint
DROP INDEX "watch_list_newest";--> statement-breakpoint
DROP INDEX "watch_progress_newest";--> statement-breakpoint
CREATE INDEX "title_edits_newest" ON "title_edits" USING btree ("mal_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "failed_plays_newest" ON "failed_plays" USING btree ("at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "search_history_newest" ON "search_history" USING btree ("user_id","searched_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "watch_history_newest" ON "watch_history" USING btree ("user_id","watched_at" DESC NULLS FIRST,"mal_id","episode" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "watch_list_newest" ON "watch_list" USING btree ("user_id","updated_at" DESC NULLS FIRST,"mal_id");--> statement-breakpoint
CREATE INDEX "watch_progress_newest" ON "watch_progress" USING btree ("user_id","at" DESC NULLS FIRST);