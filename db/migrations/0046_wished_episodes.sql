CREATE TABLE "episode_wishes" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"episode" integer NOT NULL,
	"wished_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"fulfilled_at" timestamp (3) with time zone,
	CONSTRAINT "episode_wishes_user_id_mal_id_episode_pk" PRIMARY KEY("user_id","mal_id","episode"),
	CONSTRAINT "episode_wishes_episode" CHECK ("episode_wishes"."episode" between 1 and 100000)
);
--> statement-breakpoint
ALTER TABLE "episode_wishes" ADD CONSTRAINT "episode_wishes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_wishes" ADD CONSTRAINT "episode_wishes_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "episode_wishes_title" ON "episode_wishes" USING btree ("mal_id");