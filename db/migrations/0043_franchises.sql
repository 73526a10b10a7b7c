CREATE TABLE "franchise_connections" (
	"mal_id" integer NOT NULL,
	"related_id" integer NOT NULL,
	CONSTRAINT "franchise_connections_mal_id_related_id_pk" PRIMARY KEY("mal_id","related_id")
);
--> statement-breakpoint
CREATE TABLE "franchise_corrections" (
	"mal_id" integer NOT NULL,
	"correction" text NOT NULL,
	"related_id" integer,
	CONSTRAINT "franchise_corrections_mal_id_correction_pk" PRIMARY KEY("mal_id","correction"),
	CONSTRAINT "franchise_corrections_correction" CHECK ("franchise_corrections"."correction" in ('joined', 'moved', 'after')),
	CONSTRAINT "franchise_corrections_joined" CHECK ("franchise_corrections"."correction" <> 'joined' or "franchise_corrections"."related_id" is not null),
	CONSTRAINT "franchise_corrections_related" CHECK ("franchise_corrections"."related_id" <> "franchise_corrections"."mal_id")
);
--> statement-breakpoint
CREATE TABLE "franchise_redirects" (
	"from_id" integer PRIMARY KEY NOT NULL,
	"to_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "franchise_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" bigint NOT NULL,
	"last_number" integer NOT NULL,
	CONSTRAINT "franchise_state_only" CHECK ("franchise_state"."only")
);
--> statement-breakpoint
CREATE TABLE "franchise_titles" (
	"mal_id" integer PRIMARY KEY NOT NULL,
	"franchise_id" integer NOT NULL,
	"released" smallint NOT NULL,
	"story" smallint NOT NULL,
	"mark" text NOT NULL,
	"summary_of" integer,
	"summary_until" integer,
	CONSTRAINT "franchise_titles_released" UNIQUE("franchise_id","released"),
	CONSTRAINT "franchise_titles_story" UNIQUE("franchise_id","story"),
	CONSTRAINT "franchise_titles_mark" CHECK ("franchise_titles"."mark" in ('main', 'side_story', 'special', 'summary', 'movie', 'alternative', 'spin_off')),
	CONSTRAINT "franchise_titles_places" CHECK ("franchise_titles"."released" > 0 and "franchise_titles"."story" > 0),
	CONSTRAINT "franchise_titles_summary" CHECK ("franchise_titles"."summary_until" is null or "franchise_titles"."summary_of" is not null)
);
--> statement-breakpoint
CREATE TABLE "franchises" (
	"id" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "franchise_connections" ADD CONSTRAINT "franchise_connections_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "franchise_corrections" ADD CONSTRAINT "franchise_corrections_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "franchise_redirects" ADD CONSTRAINT "franchise_redirects_to_id_franchises_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."franchises"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "franchise_titles" ADD CONSTRAINT "franchise_titles_mal_id_titles_mal_id_fk" FOREIGN KEY ("mal_id") REFERENCES "public"."titles"("mal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "franchise_titles" ADD CONSTRAINT "franchise_titles_franchise_id_franchises_id_fk" FOREIGN KEY ("franchise_id") REFERENCES "public"."franchises"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "franchise_connections_related" ON "franchise_connections" USING btree ("related_id");--> statement-breakpoint
CREATE INDEX "franchise_corrections_related" ON "franchise_corrections" USING btree ("related_id");--> statement-breakpoint
CREATE INDEX "franchise_redirects_to" ON "franchise_redirects" USING btree ("to_id");