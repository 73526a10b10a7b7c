ALTER TABLE "titles" ADD COLUMN "opening_songs" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "ending_songs" text[] DEFAULT '{}' NOT NULL;