CREATE TABLE "dismissals" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"place" text NOT NULL,
	"dismissed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dismissals_user_id_mal_id_place_pk" PRIMARY KEY("user_id","mal_id","place"),
	CONSTRAINT "dismissals_place" CHECK ("dismissals"."place" in ('suggestions', 'continue'))
);
--> statement-breakpoint
ALTER TABLE "dismissals" ADD CONSTRAINT "dismissals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dismissals" ADD CONSTRAINT "dismissals_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dismissals_title" ON "dismissals" USING btree ("mal_id");