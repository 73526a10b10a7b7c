ALTER TABLE "users" DROP CONSTRAINT "users_title_language";--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "theme" SET DEFAULT 'system';--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "title_language" SET DEFAULT 'browser';--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_title_language" CHECK ("users"."title_language" in ('browser', 'romaji', 'english', 'japanese'));