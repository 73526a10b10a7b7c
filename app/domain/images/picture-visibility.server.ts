import { type SQLWrapper, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";

const { imageUrl, imageWebp, imageSmallWebp, imageLargeWebp, bannerImage, trailerImageUrl } = titles;
const picturesOfTitle: readonly SQLWrapper[] = [
  imageUrl,
  imageWebp,
  imageSmallWebp,
  imageLargeWebp,
  bannerImage,
  trailerImageUrl,
];

/**
 * Whether a picture of another site is on a page of this viewer: it belongs to a title or an episode that the viewer may
 * see, or to a profile. The address alone of another title's picture must not be enough.
 */
export async function isPictureShown(url: string, viewer: Viewer): Promise<boolean> {
  const ofTitle = sql`${url} in (${sql.join([...picturesOfTitle], sql`, `)})`;
  const ofEpisode = sql`mal_id in (select mal_id from ${episodes} where image_url = ${url})`;
  const [row] = await db.execute<{ isShown: boolean }>(sql`
    select exists (select from ${titles} where (${ofTitle} or ${ofEpisode}) and ${visibleTo(viewer)})
      or exists (select from ${users} where ${url} in (avatar_url, banner_image)) as "isShown"`);
  return row?.isShown === true;
}
