CREATE TABLE "track_choices" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"sound" text,
	"subtitles" text,
	"chosen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "track_choices_user_id_mal_id_pk" PRIMARY KEY("user_id","mal_id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sound_language" text DEFAULT 'original' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "subtitle_languages" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "plain_subtitles" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "track_choices" ADD CONSTRAINT "track_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_choices" ADD CONSTRAINT "track_choices_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "track_choices_title" ON "track_choices" USING btree ("mal_id");