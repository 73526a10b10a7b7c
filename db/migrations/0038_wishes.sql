CREATE TABLE "wishes" (
	"user_id" uuid NOT NULL,
	"mal_id" integer NOT NULL,
	"wished_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"fulfilled_at" timestamp (3) with time zone,
	CONSTRAINT "wishes_user_id_mal_id_pk" PRIMARY KEY("user_id","mal_id")
);
--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wishes_title" ON "wishes" USING btree ("mal_id");