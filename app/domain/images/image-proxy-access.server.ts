import { sql } from "drizzle-orm";
import { type Refusal, refuse } from "#app/domain/errors.ts";
import { silentDatabaseRefusal } from "#app/domain/upstream-refusal.server.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { imageProxyPath } from "#app/paths.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import { keyedHash } from "#app/platform/process/encryption.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { getSigningSecrets, isSameSecret, isSignedByUs } from "#app/platform/process/secrets.server.ts";
import { minutes } from "#app/platform/units.ts";
import { allowedHosts, cacheHosts } from "#app/platform/upstream/host-list.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";
import { isUnavailable } from "./picture-failures.server.ts";

/**
 * Decides which URLs the image proxy fetches for strangers: signed ones (IMAGE_PROXY_SIGNING_SECRET) or those of
 * allowed hosts (IMAGE_PROXY_ALLOWED_HOSTS). The pictures on this site's pages always pass, because pages sign their
 * URLs.
 */

const { IMAGE_PROXY_SIGNING_SECRET: secret, IMAGE_PROXY_ALLOWED_HOSTS: hosts } = env;
const isRestricted = secret !== undefined || hosts !== undefined;
const { asksCatalog, isAllowedHost } = allowedHosts(hosts);

const unsignedRefusal = refuse(
  "invalid",
  "This address is not signed by this service (IMAGE_PROXY_SIGNING_SECRET)",
);
export const hostRefusal = refuse(
  "invalid",
  "The image proxy may not fetch from this host; the operator can allow it with IMAGE_PROXY_ALLOWED_HOSTS",
);

type Access =
  /** `isAllowed` is called for every redirect. If it is absent, every URL is allowed. */
  { ok: true; isAllowed?: (url: URL) => boolean } | { ok: false; refusal: Refusal };

export async function judgeImageUrl(
  { text, url, signature }: { text: string; url: URL; signature: string | undefined },
  { ownPath }: { ownPath(url: URL): string | null },
): Promise<Access> {
  if (!isRestricted || ownPath(url) !== null || isSigned(text, signature)) return { ok: true };
  if (secret !== undefined) return { ok: false, refusal: unsignedRefusal };
  const registered = asksCatalog ? await getPictureHosts() : new Set<string>();
  const isAllowed = (hop: URL) => ownPath(hop) !== null || isAllowedHost(hop, registered);
  if (isAllowed(url)) return { ok: true, isAllowed };
  return { ok: false, refusal: registered === null ? silentDatabaseRefusal : hostRefusal };
}

const bannerWidthPx = 1600;

/**
 * The address at which a page shows a picture. Pictures of other hosts are loaded through our proxy, so that those
 * hosts do not see the viewers. A picture that recently could not be fetched gives null, so that pages treat it as
 * missing.
 */
export function proxiedPictureUrl(url: string | null, widthPx: number): string | null {
  if (url === null || url.startsWith("/")) return url;
  if (isUnavailable(url)) return null;
  return imageProxyPath(url, widthPx, signatureForPage(url));
}

export const bannerUrl = (url: string | null) => proxiedPictureUrl(url, bannerWidthPx);

/** Undefined if the proxy is open to everybody. */
const signatureForPage = (url: string) =>
  isRestricted ? signatureOf(url, secret ?? getSigningSecrets()[0]) : undefined;

const isSigned = (url: string, signature = ""): boolean =>
  secret === undefined
    ? isSignedByUs(signature, (key) => signatureOf(url, key))
    : isSameSecret(signature, signatureOf(url, secret));

/** 132 bits of the MAC prevent forgery and keep pages small. */
const signatureOf = (url: string, key: string) =>
  keyedHash(key, "image proxy", url).digest("base64url").slice(0, 22);

const picturesOfTitle = sql.join(
  [
    titles.imageUrl,
    titles.imageWebp,
    titles.imageSmallWebp,
    titles.imageLargeWebp,
    titles.bannerImage,
    titles.trailerImageUrl,
  ],
  sql`, `,
);

const getPictureHosts = cacheHosts(async () => {
  const rows = await db.execute<{ origin: string | null }>(sql`
    select distinct lower(substring(url from '(?i)^https?://[^/?#]+')) as origin from (
      select unnest(array[${picturesOfTitle}]) as url from ${titles}
      union all select ${episodes.imageUrl} from ${episodes}
    ) as pictures`);
  return rows.map(({ origin }) => origin);
}, minutes(1));

/** The query below reads whole tables. Turns keep requests of one child from delaying everybody else. */
const inTurn = createTurns(
  { total: 4, perClient: 1, perAccount: 1 },
  createRefusalCounter(
    "shown",
    "Children's profiles ask for other sites' pictures faster than the site can check them, so some get 503",
  ),
);

/**
 * True if another site's picture appears on a page of this viewer: on a title or episode that the viewer may see, or on
 * a profile. Knowing the URL of another title's picture must not be enough.
 */
export const isPictureShown = (url: string, viewer: Viewer): Promise<boolean> =>
  inTurn(() => findPicture(url, viewer));

async function findPicture(url: string, viewer: Viewer): Promise<boolean> {
  const ofTitle = sql`${url} in (${picturesOfTitle})`;
  const ofEpisode = sql`mal_id in (select mal_id from ${episodes} where image_url = ${url})`;
  const [row] = await db.execute<{ isShown: boolean }>(sql`
    select exists (select from ${titles} where (${ofTitle} or ${ofEpisode}) and ${visibleTo(viewer)})
      or exists (select from ${users} where ${url} in (avatar_url, banner_image)) as "isShown"`);
  return row?.isShown === true;
}
