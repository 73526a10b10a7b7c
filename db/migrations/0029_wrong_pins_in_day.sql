ALTER TABLE "profile_pins" ADD COLUMN "day_began_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "profile_pins" ADD COLUMN "wrong_in_day" integer DEFAULT 0 NOT NULL;