CREATE TABLE "local_titles" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"external_ids" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "title_redirects" (
	"from_id" integer PRIMARY KEY NOT NULL,
	"to_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "local_titles" ADD CONSTRAINT "local_titles_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_redirects" ADD CONSTRAINT "title_redirects_to_id_titles_mal_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;