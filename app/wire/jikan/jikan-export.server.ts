import { readTagNumbers } from "#app/domain/catalog/catalog.server.ts";
import { type ExportedTitle, exportTitles } from "#app/domain/catalog-sharing/catalog-sharing.server.ts";
import { readRanks } from "#app/domain/discovery/discovery.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { animeFullOnWire } from "./anime/anime-full-json.server.ts";

/** The catalog as NDJSON of Jikan's `anime_full`, from which another mirror can be started. */

export async function* exportForJikan(options: { withTexts: boolean }): AsyncGenerator<string> {
  const [numberOf, rankOf] = await Promise.all([readTagNumbers(), readRanks()]);
  const facts = { origin: env.PUBLIC_URL ?? "", numberOf, rankOf };
  for await (const title of exportTitles(options))
    yield `${JSON.stringify({ ...animeFullOnWire(title, facts), images: imagesOf(title) })}\n`;
}

/** The source's own picture addresses, because a mirror must not depend on this site. */
const imagesOf = ({ imageUrl, imageWebp, imageSmallWebp, imageLargeWebp }: ExportedTitle) => ({
  jpg: { image_url: imageUrl, small_image_url: null, large_image_url: null },
  webp: { image_url: imageWebp, small_image_url: imageSmallWebp, large_image_url: imageLargeWebp },
});
