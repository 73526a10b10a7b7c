ALTER TABLE "users" ADD COLUMN "skips_segments" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "plays_next" boolean DEFAULT true NOT NULL;