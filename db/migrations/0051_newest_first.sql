-- The next migration drops the old indexes. Here that would keep others from reading the tables while new ones are built.
ALTER INDEX "title_edits_newest" RENAME TO "title_edits_newest_old";--> statement-breakpoint
ALTER INDEX "failed_plays_newest" RENAME TO "failed_plays_newest_old";--> statement-breakpoint
ALTER INDEX "search_history_newest" RENAME TO "search_history_newest_old";--> statement-breakpoint
ALTER INDEX "watch_history_newest" RENAME TO "watch_history_newest_old";--> statement-breakpoint
ALTER INDEX "watch_list_newest" RENAME TO "watch_list_newest_old";--> statement-breakpoint
ALTER INDEX "watch_progress_newest" RENAME TO "watch_progress_newest_old";--> statement-breakpoint
CREATE INDEX "title_edits_newest" ON "title_edits" USING btree ("mal_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "failed_plays_newest" ON "failed_plays" USING btree ("at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "search_history_newest" ON "search_history" USING btree ("user_id","searched_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "watch_history_newest" ON "watch_history" USING btree ("user_id","watched_at" DESC NULLS FIRST,"mal_id","episode" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "watch_list_newest" ON "watch_list" USING btree ("user_id","updated_at" DESC NULLS FIRST,"mal_id");--> statement-breakpoint
CREATE INDEX "watch_progress_newest" ON "watch_progress" USING btree ("user_id","at" DESC NULLS FIRST);
