CREATE TABLE "source_headers" (
	"source_id" uuid NOT NULL,
	"name" text NOT NULL,
	"encrypted_value" text NOT NULL,
	CONSTRAINT "source_headers_source_id_name_pk" PRIMARY KEY("source_id","name"),
	CONSTRAINT "source_headers_name" CHECK ("source_headers"."name" in ('Referer', 'Origin', 'User-Agent', 'Cookie', 'Authorization'))
);
--> statement-breakpoint
ALTER TABLE "source_headers" ADD CONSTRAINT "source_headers_source_id_episode_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."episode_sources"("id") ON DELETE cascade ON UPDATE no action;