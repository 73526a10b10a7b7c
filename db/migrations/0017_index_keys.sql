CREATE INDEX "titles_known" ON "titles" USING btree ("mal_id","members","is_mature","hidden_at","approved");--> statement-breakpoint
DROP INDEX "title_aliases_key_trigrams";--> statement-breakpoint
DROP INDEX "title_aliases_joined_trigrams";--> statement-breakpoint
UPDATE "title_aliases" SET "key" = coded."key", "joined" = replace(coded."key", ' ', '')
FROM (
	SELECT "mal_id", "key" AS "before", string_agg(CASE WHEN ascii(letter) < 128 THEN letter ELSE
		chr(65 + ascii(letter) % 33696 / 1296)
		|| substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', ascii(letter) % 1296 / 36 + 1, 1)
		|| substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', ascii(letter) % 36 + 1, 1) END, '' ORDER BY position) AS "key"
	FROM "title_aliases", regexp_split_to_table("key", '') WITH ORDINALITY AS letters (letter, position)
	WHERE octet_length("key") > char_length("key")
	GROUP BY "mal_id", "key"
) coded
WHERE "title_aliases"."mal_id" = coded."mal_id" AND "title_aliases"."key" = coded."before";--> statement-breakpoint
CREATE INDEX "title_aliases_key_trigrams" ON "title_aliases" USING gin ("key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "title_aliases_joined_trigrams" ON "title_aliases" USING gin ("joined" gin_trgm_ops);--> statement-breakpoint
ANALYZE "title_aliases";
