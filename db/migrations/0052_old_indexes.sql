DROP INDEX "title_edits_newest_old";--> statement-breakpoint
DROP INDEX "failed_plays_newest_old";--> statement-breakpoint
DROP INDEX "search_history_newest_old";--> statement-breakpoint
DROP INDEX "watch_history_newest_old";--> statement-breakpoint
DROP INDEX "watch_list_newest_old";--> statement-breakpoint
DROP INDEX "watch_progress_newest_old";
