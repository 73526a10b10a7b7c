CREATE TABLE "hidden_titles" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL
);
--> statement-breakpoint
DROP INDEX "titles_by_score";--> statement-breakpoint
DROP INDEX "titles_by_score_asc";--> statement-breakpoint
DROP INDEX "titles_by_title";--> statement-breakpoint
DROP INDEX "titles_by_title_desc";--> statement-breakpoint
DROP INDEX "titles_by_popularity";--> statement-breakpoint
DROP INDEX "titles_by_newest";--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "hidden_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "hidden_titles" ADD CONSTRAINT "hidden_titles_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hidden_titles" ADD CONSTRAINT "hidden_titles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "titles_by_score" ON "titles" USING btree ("score" desc nulls last,"mal_id","genre_bits","is_mature","hidden_at","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_score_asc" ON "titles" USING btree ("score" asc nulls last,"mal_id","genre_bits","is_mature","hidden_at","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_title" ON "titles" USING btree ("title_key","mal_id","genre_bits","is_mature","hidden_at","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_title_desc" ON "titles" USING btree ("title_key" desc,"mal_id","genre_bits","is_mature","hidden_at","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_popularity" ON "titles" USING btree ("popularity" asc nulls last,"mal_id","genre_bits","is_mature","hidden_at","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");--> statement-breakpoint
CREATE INDEX "titles_by_newest" ON "titles" USING btree ("aired_from" desc nulls last,"mal_id","genre_bits","is_mature","hidden_at","has_banner","year","airs_from","airs_until","type","season","rating","broadcast_day","score");